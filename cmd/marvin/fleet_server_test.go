package main

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// natsServer is a real server that keeps what it has on the disk.
type natsServer struct {
	t    *testing.T
	path string
	dir  string
	port string
	args []string
	runs *exec.Cmd
	gone chan struct{} // closed when it ended
}

// natsProgram finds nats-server, which .ci/run installs.
func natsProgram(t *testing.T) string {
	t.Helper()
	cache, _ := os.UserCacheDir()
	for _, path := range []string{os.Getenv("NATS_SERVER"), filepath.Join(cache, "marvin-fleet", "nats-server")} {
		if info, err := os.Stat(path); path != "" && err == nil && !info.IsDir() {
			return path
		}
	}
	path, err := exec.LookPath("nats-server")
	if err == nil {
		if out, _ := exec.Command(path, "--version").Output(); strings.Contains(string(out), "v2.1") && !strings.Contains(string(out), "v2.10") {
			return path
		}
	}
	t.Skip("no nats-server 2.11 or newer here: GOBIN=~/.cache/marvin-fleet go install github.com/nats-io/nats-server/v2@v2.12.1")
	return ""
}

func startNATS(t *testing.T, args ...string) *natsServer {
	t.Helper()
	s := &natsServer{t: t, path: natsProgram(t), dir: t.TempDir(), args: args}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	listener.Close()
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *natsServer) url() string { return "nats://127.0.0.1:" + s.port }

// start returns when the server listens.
func (s *natsServer) start() {
	s.t.Helper()
	s.runs = exec.Command(s.path, append([]string{"-js", "-a", "127.0.0.1", "-p", s.port, "-sd", s.dir}, s.args...)...)
	var said bytes.Buffer
	s.runs.Stderr = &said
	if err := s.runs.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.gone = make(chan struct{})
	go func(run *exec.Cmd, gone chan struct{}) { _ = run.Wait(); close(gone) }(s.runs, s.gone)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if connection, err := net.Dial("tcp", "127.0.0.1:"+s.port); err == nil {
			connection.Close()
			return
		}
		select {
		case <-s.gone:
			s.t.Fatalf("nats-server ended: %s", said.String())
		default:
		}
	}
	s.t.Fatal("nats-server does not listen")
}

// kill ends it as a crash does.
func (s *natsServer) kill() {
	_ = s.runs.Process.Kill()
	<-s.gone
}
