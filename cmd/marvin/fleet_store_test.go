package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"

	"marvin/cmd/marvin/internal/fleet"
	"marvin/cmd/marvin/internal/fleet/fleettest"
)

func TestFleetAsksAgainForAStoreThatFailed(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t)
	streams := filepath.Join(server.Dir, "jetstream", "$G", "streams")
	inTheWay := filepath.Join(streams, "marvin-prompts")
	if err := os.MkdirAll(streams, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	watching, err := nats.Connect(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Close()
	refused := make(chan string, 1)
	clear := sync.OnceFunc(func() { _ = os.RemoveAll(inTheWay) }) // Open fails where it stays
	if _, err := watching.Subscribe("$JS.EVENT.ADVISORY.API", func(audit *nats.Msg) {
		if said := string(audit.Data); strings.Contains(said, "10049") {
			select {
			case refused <- said:
			default:
			}
			clear()
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := watching.Flush(); err != nil {
		t.Fatal(err)
	}
	opened, err := fleet.Open(t.Context(), fleet.Address{Servers: server.URL(), Stream: "marvin", Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	opened.Close()
	select {
	case <-refused:
	default:
		t.Error("the server refused nothing: nothing was tried")
	}
}
