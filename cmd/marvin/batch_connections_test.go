package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"marvin/providers/modeltest"
)

// Conversations of one process share their connections to a model. A conversation that ends leaves
// its idle connections to the next one, so a batch connects to its server once and not for each
// prompt.
func TestBatchUsesItsConnectionAgain(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	listening := httptest.NewUnstartedServer(modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("yes") }))
	listening.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	listening.Start()
	t.Cleanup(listening.Close)
	command := batchOf(t, nil, prompts("1", "2", "3", "4", "5", "6"), "--jobs", "1")
	command.Env = append(command.Env, "OPENAI_COMPAT_URL="+listening.URL+"/v1")
	if _, stderr, code := ends(t, command); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	if n := connections.Load(); n > 2 { // one that is not idle again in time may be needed
		t.Errorf("%d connections for six prompts, one behind the other", n)
	}
}
