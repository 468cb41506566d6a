package actors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/persistence/disktest"
	"marvin/persistence/settings"
)

// wrapped is a server that a script of the test starts.
func wrapped(t *testing.T, script string) settings.Server {
	t.Helper()
	program := filepath.Join(t.TempDir(), "wrapper")
	if err := disktest.WriteProgram(program, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return settings.Server{Command: []string{program}, Env: map[string]string{"MCP_PLAYS": "well", "PROGRAM": os.Args[0]}, Free: true, Reads: []string{"*"}}
}

func TestADamagedApprovalApprovesNothing(t *testing.T) {
	home := t.TempDir()
	server := played("well", "*")
	known(t, home, "office", server)
	file := filepath.Join(home, ".config", "marvin", "mcp", "office.json")
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"server":"`+server.Hash()+`","pinned":{`), 0o600); err != nil {
		t.Fatal(err)
	}
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: map[string]settings.Server{"office": server}}})
	_ = tree.System.Servers.Restart(t.Context(), "office")
	if turn := tree.Prompt("hello"); strings.Contains(turn.Ended.Text, "said: hello") {
		t.Errorf("%+v", turn.Ended)
	}
}

// A server that failed to start can be called later.
func TestAServerThatFailedAtFirstIsThereLater(t *testing.T) {
	home, once := t.TempDir(), filepath.Join(t.TempDir(), "once")
	server := wrapped(t, `test -e `+once+` || { echo no network yet >&2; exit 3; }; exec "$PROGRAM"`)
	if err := os.WriteFile(once, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	known(t, home, "office", server)
	if err := os.Remove(once); err != nil {
		t.Fatal(err)
	}
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: map[string]settings.Server{"office": server}}})
	if turn := tree.Prompt("hello"); !strings.Contains(turn.Ended.Text, "no network yet") {
		t.Errorf("at first: %+v", turn.Ended)
	}
	if err := os.WriteFile(once, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for limit := time.Now().Add(actorstest.Patience); ; {
		turn := tree.Prompt("again")
		if turn.Ended.Text == "said: again" {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("it does not come back: %+v", turn.Ended)
		}
	}
}
