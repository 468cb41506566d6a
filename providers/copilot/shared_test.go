package copilot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"marvin/providers/copilot"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

// shared is the real CLI for tests that only ask it, because each start takes 1.2 s of CPU time. As
// in a program, one process has all conversations; each test uses its own model name.
var shared sharing

type sharing struct {
	once   sync.Once
	home   string
	line   *httptest.Server
	cli    *copilot.CLI
	keeper *copilot.Model // the CLI ends with its last model
	err    error

	mu      sync.Mutex
	servers map[string]http.Handler // by the name of the model
}

// asks returns a model of the shared CLI that this server answers.
func asks(t *testing.T, server *modeltest.Server) *copilot.Model {
	t.Helper()
	path := copilottest.Path(t)
	shared.once.Do(func() { shared.begin(path) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.model(t, t.Name(), server)
}

// model returns a model with this name, for which the server answers.
func (s *sharing) model(t *testing.T, name string, server *modeltest.Server) *copilot.Model {
	t.Helper()
	s.mu.Lock()
	s.servers[name] = server
	s.mu.Unlock()
	model := copilot.New(copilot.Config{CLI: s.cli, Model: name})
	t.Cleanup(func() { model.Close() })
	return model
}

func (s *sharing) begin(path string) {
	if s.home, s.err = os.MkdirTemp("", "marvin-copilot-test-"); s.err != nil {
		return
	}
	s.servers = map[string]http.Handler{"keeper": modeltest.New(func(modeltest.Request) modeltest.Step { return modeltest.Text("fine") })}
	s.line = httptest.NewServer(s)
	world := copilottest.Environ(s.home, mark+"shared", "COPILOT_CLI_PATH="+path)
	s.cli = copilot.NewCLI(copilot.CLIConfig{StartLimit: patience, Environ: append(world, copilottest.Asking(s.line.URL)...)})
	s.keeper = copilot.New(copilot.Config{CLI: s.cli, Model: "keeper"})
	_, s.err = s.keeper.Respond(context.Background(), question(user("stay")), discard)
}

// ServeHTTP passes each request to the server of its model.
func (s *sharing) ServeHTTP(to http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	var asked struct{ Model string }
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	s.mu.Lock()
	server := s.servers[asked.Model]
	s.mu.Unlock()
	if err != nil || server == nil {
		http.Error(to, fmt.Sprintf("nobody plays the model %q: %v", asked.Model, err), http.StatusNotFound)
		return
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	server.ServeHTTP(to, request)
}

// end stops the CLI, if there is one; no process may remain.
func (s *sharing) end() error {
	if s.cli == nil {
		return s.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s.keeper.Close()
	s.cli.Stop(ctx)
	s.line.Close()
	if left, err := lasting(ctx, "shared"); err != nil || len(left) > 0 {
		return fmt.Errorf("of the shared CLI is left running: %v, %w", left, err)
	}
	return os.RemoveAll(s.home)
}
