package mcp

import (
	"os"
	"testing"
	"time"

	"marvin/persistence/settings"
	"marvin/tools/mcp/mcptest"
)

// TestMain also runs the test servers.
func TestMain(m *testing.M) {
	if os.Getenv("MCP_PLAYS") == "odd answers" {
		playOdd(os.Stdin, os.Stdout)
		return
	}
	if os.Getenv("MCP_PLAYS") == "floods" {
		playFlood(os.Stdin, os.Stdout)
		return
	}
	mcptest.Main()
	os.Exit(m.Run())
}

type said struct {
	Text string `json:"text"`
}

// played returns the configuration of a test server with this behavior.
func played(how string) settings.Server {
	return settings.Server{Command: []string{os.Args[0]}, Env: map[string]string{"MCP_PLAYS": how}, Free: true}
}

func ground(t *testing.T) Ground {
	t.Helper()
	return Ground{Version: "test", Environ: os.Environ(), Dir: t.TempDir(), Now: time.Now}
}

func begun(t *testing.T, server settings.Server, ground Ground) *Session {
	t.Helper()
	session, err := Connect(t.Context(), "office", server, ground)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	return session
}
