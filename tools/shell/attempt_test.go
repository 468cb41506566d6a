package shell

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"marvin/tools"
)

// An attempt returns an exit code, or a reason why there is none.
func TestAnAttemptSaysHowItEnded(t *testing.T) {
	env := tools.Env{Dir: t.TempDir(), Root: t.TempDir(), Environ: os.Environ(), Held: tools.Held{Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxOff})}}
	for line, want := range map[string]struct {
		code int
		last string
	}{
		"true": {0, ""}, "echo all is well; exit 3": {3, "all is well"}, "echo one; echo 'it is broken' >&2; exit 2": {2, "it is broken"},
	} {
		if code, last, err := Attempt(t.Context(), env, line, time.Minute); code != want.code || last != want.last || err != nil {
			t.Errorf("%s: %d, %q, %v", line, code, last, err)
		}
	}
	if _, _, err := Attempt(t.Context(), env, "sleep 600", time.Second); !errors.Is(err, tools.ErrDeadline) {
		t.Errorf("over its time: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	env.Progress = func(string) { cancel() } // the command has started
	if _, _, err := Attempt(ctx, env, "echo begun; sleep 600", time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	env.Progress = nil
	if code, _, err := Attempt(t.Context(), env, "(trap '' TERM; sleep 600) & echo $! > left", time.Minute); code != 0 || err != nil {
		t.Errorf("%d, %v", code, err)
	}
	left, err := os.ReadFile(filepath.Join(env.Dir, "left"))
	if err != nil {
		t.Fatal(err)
	}
	if process := "/proc/" + string(left[:len(left)-1]) + "/cmdline"; running(process) {
		t.Errorf("%s is there still", process)
	}
}

// running reports whether a process exists and is not a zombie; without /proc it returns false.
func running(cmdline string) bool {
	said, err := os.ReadFile(cmdline)
	return err == nil && len(said) > 0
}
