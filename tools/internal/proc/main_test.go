package proc

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// forks is a server behind a wrapper; one of its processes leaves the session. It prints its
// process numbers.
const forks = `sh -c 'echo $$; setsid sh -c "echo \$\$; while :; do sleep 60; done" & while :; do sleep 60; done' & echo $$; wait`

// TestMain also acts as a Marvin that is killed, for TestChildDiesWithMarvin and
// TestNothingOfAServerOutlivesMarvin.
func TestMain(m *testing.M) {
	if os.Getenv("PROC_TEST_SERVES") == "run" {
		_, err := Run(context.Background(), Command{Shell: forks, Dir: "/", Environ: os.Environ(), Stdout: os.Stdout, Ends: true})
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	if os.Getenv("PROC_TEST_SERVES") != "" {
		served, err := Serve(Command{Shell: forks, Dir: "/", Environ: os.Environ()})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		_, _ = io.Copy(os.Stdout, served.Stdout)
		os.Exit(3)
	}
	if os.Getenv("PROC_TEST_PARENT") != "" {
		_, err := Run(context.Background(), Command{
			Shell: "echo $$; exec sleep 1000", Dir: "/", Environ: os.Environ(), Stdout: os.Stdout,
		})
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	goleak.VerifyTestMain(m)
}

// shell runs a line with the tests' own environment.
func shell(t *testing.T, line string) (Result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return Run(ctx, Command{Shell: line, Dir: t.TempDir(), Environ: os.Environ()})
}

// ready collects output and closes its channel when the child says "ready".
type ready struct {
	seen chan struct{}
	once sync.Once
	mu   sync.Mutex
	text []byte
}

func newReady() *ready { return &ready{seen: make(chan struct{})} }

func (r *ready) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text = append(r.text, p...)
	if bytes.Contains(r.text, []byte("ready")) {
		r.once.Do(func() { close(r.seen) })
	}
	return len(p), nil
}

func (r *ready) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.text)
}

// cancelOnceReady cancels with cause when the child has said "ready".
func cancelOnceReady(t *testing.T, output *ready, cause error) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	limit, stop := context.WithTimeout(ctx, 20*time.Second)
	go func() {
		select {
		case <-output.seen:
			cancel(cause)
		case <-limit.Done():
		}
	}()
	t.Cleanup(func() { stop(); cancel(nil) })
	return limit
}
