package shell

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// confined returns an environment whose commands run in a sandbox.
func confined(t *testing.T) tools.Env {
	t.Helper()
	env := newEnv(t)
	env.Root = env.Dir
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxWorkspace, Home: t.TempDir(), Environ: env.Environ, Temp: t.TempDir()})
	t.Cleanup(func() { _ = env.Sandbox.Close() })
	if err := Try(t.Context(), env); errors.Is(err, tools.ErrUnconfined) || errors.Is(err, jail.ErrPlace) {
		t.Skip(err)
	}
	return env
}

func TestNoCallSeesWhatTheSandboxMadeForTheOneBefore(t *testing.T) {
	env := confined(t)
	looks, err := tools.New(tools.Def[struct{}]{Name: "look", Run: func(_ context.Context, env tools.Env, _ struct{}) (tools.Output, error) {
		entries, err := os.ReadDir(env.Dir)
		if len(entries) > 0 {
			t.Errorf("%s is there", entries[0])
		}
		return tools.Output{}, err
	}}).Decode(json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		said, err := do(t, env, "run_command", `{"command":"ls -A"}`)
		if err != nil || env.Sandbox.Lacks() == "" && !strings.HasPrefix(said.Text, ".git\n") {
			t.Fatalf("the sandbox made nothing: %v %s", err, said.Text)
		}
		if _, err := looks.Run(t.Context(), env); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLeftoverSandboxProcessesAreReported(t *testing.T) {
	env := confined(t)
	// A child is still a shell until it has started sleep, and the command may end before that.
	for _, line := range []string{
		"sleep 60 & until grep -qs sleep /proc/$!/comm; do :; done",
		"setsid sh -c 'echo $$ >pid; exec sleep 60' </dev/null >/dev/null 2>&1 & until [ -s pid ] && grep -qs sleep /proc/$(cat pid)/comm; do :; done; rm pid",
	} {
		cell, err := env.Jail()
		if err != nil {
			t.Fatal(err)
		}
		result, err := proc.Run(t.Context(), proc.Command{Shell: line, Dir: env.Dir, Environ: env.Environ, Jail: cell, TidyLater: true})
		if err != nil || len(result.Left) != 1 || !strings.Contains(result.Left[0].Command, "sleep 60") {
			t.Errorf("%s left %v, %v", line, result.Left, err)
		}
		for _, one := range result.Left {
			if err := syscall.Kill(one.PID, syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		}
	}
}
