// Package fleettest starts a real NATS server for tests.
package fleettest

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"marvin/actors/actorstest"
)

// Server is a real NATS server that stores its data on disk.
type Server struct {
	Path string // path of the server program
	Dir  string // the server's data directory
	Port string

	t    *testing.T
	args []string
	runs *exec.Cmd
	gone chan struct{} // closed when the server has ended
}

// findServer returns the path of nats-server, which .ci/run installs.
func findServer(t *testing.T) string {
	t.Helper()
	cache, _ := os.UserCacheDir()
	for _, path := range []string{os.Getenv("NATS_SERVER"), filepath.Join(cache, "marvin-fleet", "nats-server")} {
		if info, err := os.Stat(path); path != "" && err == nil && !info.IsDir() {
			return path
		}
	}
	t.Skip("no nats-server 2.11 or newer was found on this computer, and NATS_SERVER names none; to install it, run GOBIN=~/.cache/marvin-fleet go install github.com/nats-io/nats-server/v2@v2.12.1")
	return ""
}

// Start starts a server and kills it when the test ends. It adds args to the server's command line,
// and skips the test if nats-server is not installed.
func Start(t *testing.T, args ...string) *Server {
	t.Helper()
	s := &Server{t: t, Path: findServer(t), Dir: t.TempDir(), args: args}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, s.Port, _ = net.SplitHostPort(listener.Addr().String())
	listener.Close()
	s.Start()
	t.Cleanup(s.Kill)
	return s
}

// URL returns the address of the server.
func (s *Server) URL() string { return "nats://127.0.0.1:" + s.Port }

// Start starts the server and waits until it listens.
func (s *Server) Start() {
	s.t.Helper()
	s.runs = exec.CommandContext(context.Background(), s.Path, append([]string{"-js", "-a", "127.0.0.1", "-p", s.Port, "-sd", s.Dir}, s.args...)...)
	var said bytes.Buffer
	s.runs.Stderr = &said
	if err := s.runs.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.gone = make(chan struct{})
	go func(run *exec.Cmd, gone chan struct{}) { _ = run.Wait(); close(gone) }(s.runs, s.gone)
	for deadline := time.Now().Add(actorstest.Patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if connection, err := new(net.Dialer).DialContext(context.Background(), "tcp", "127.0.0.1:"+s.Port); err == nil {
			connection.Close()
			return
		}
		select {
		case <-s.gone:
			s.t.Fatalf("nats-server ended: %s", said.String())
		default:
		}
	}
	s.t.Fatal("nats-server is not listening")
}

// Kill ends the server without a clean shutdown.
func (s *Server) Kill() {
	_ = s.runs.Process.Kill()
	<-s.gone
}
