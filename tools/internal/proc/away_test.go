package proc

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// heard collects the output of a command.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
	line chan struct{} // closed at the first line
	once sync.Once
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if bytes.Contains(p, []byte("\n")) {
		h.once.Do(func() { close(h.line) })
	}
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

func TestCommandContinuesWithoutItsCall(t *testing.T) {
	dir, all, away := t.TempDir(), &heard{line: make(chan struct{})}, make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-all.line; close(away) }()
	result, err := Run(ctx, Command{Shell: "echo one; until [ -e go ]; do sleep 0.01; done; echo two >&2; exit 3", Dir: dir, Environ: os.Environ(), Combined: all, Away: away})
	var gone *Away
	if !errors.As(err, &gone) || result.Stdout.Text() != "one\n" || !gone.Alive() {
		t.Fatalf("the call brings %q, %v", result.Stdout.Text(), err)
	}
	cancel() // the call is over, and no longer ends the command
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if end := gone.Wait(); end.ExitCode != 3 || end.Signal != "" || all.String() != "one\ntwo\n" {
		t.Errorf("it ends with %+v and all it said is %q", end, all.String())
	}
}

func TestACommandThatContinuesCanBeEnded(t *testing.T) {
	away := make(chan struct{})
	close(away)
	// The command executes another program all the time, so its environment is often empty.
	again := `i=$((i+1)); [ $i -gt 4000 ] && exec sleep 300; exec sh again`
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "again"), []byte(again), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Run(t.Context(), Command{Shell: "export i=0; exec sh again", Dir: dir, Environ: os.Environ(), Away: away})
	var gone *Away
	if !errors.As(err, &gone) {
		t.Fatal(err)
	}
	if end := gone.End(); end.Signal == "" || gone.Alive() {
		t.Errorf("it ends with %+v, alive %v", end, gone.Alive())
	}
}

func TestCommandThatCouldContinueEndsWithItsCall(t *testing.T) {
	for name, one := range map[string]struct {
		line string
		code int
	}{"by itself": {"exit 4", 4}, "with what it left": {"sleep 300 & exit 0", 0}} {
		result, err := Run(t.Context(), Command{Shell: one.line, Dir: t.TempDir(), Environ: os.Environ(), Away: make(chan struct{}), Ends: true})
		if err != nil || result.ExitCode != one.code {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	all := &heard{line: make(chan struct{})}
	go func() { <-all.line; cancel(why) }()
	if _, err := Run(ctx, Command{Shell: "echo up; sleep 300", Dir: t.TempDir(), Environ: os.Environ(), Combined: all, Away: make(chan struct{})}); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAJobReadsWhatItIsGiven(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	child, err := Start(Command{Shell: "read name; echo hello $name; cat; echo end", Dir: dir, Environ: os.Environ()}, file, file, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Stop(0) })
	if err := child.Write("world\n", time.Minute); err != nil {
		t.Error(err)
	}
	lines(t, file.Name(), 1)
	if err := errors.Join(child.Write("more\n", time.Minute), child.CloseInput()); err != nil {
		t.Error(err)
	}
	child.Wait()
	if text, err := os.ReadFile(file.Name()); err != nil || string(text) != "hello world\nmore\nend\n" {
		t.Errorf("it wrote %q, %v", text, err)
	}
	deaf, err := Start(Command{Shell: "sleep 300", Dir: dir, Environ: os.Environ()}, file, file, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := deaf.Write(strings.Repeat("x", 1<<20), 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "is not reading more at the moment") {
		t.Errorf("a deaf one: %v", err)
	}
	if err := deaf.Stop(0); err != nil {
		t.Error(err)
	}
	deaf.Wait()
	without, _ := detach(t, "sleep 300")
	if err := without.Write("x", time.Minute); !errors.Is(err, ErrNoInput) {
		t.Errorf("one without input: %v", err)
	}
	_ = without.Stop(0)
	without.Wait()
}
