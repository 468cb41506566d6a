package proc

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stubborn are processes that a call can start; each prints "ready".
var stubborn = map[string]string{
	"direct":              "echo ready; sleep 1000",
	"grandchild":          "sh -c 'sleep 1000 & echo ready; wait'",
	"double fork":         "(sleep 1000 & ) ; echo ready; sleep 1000",
	"left in background":  "sleep 1000 & sleep 1000 & echo ready; wait",
	"ignores TERM":        "trap '' TERM; echo ready; while :; do sleep 0.1; done",
	"grandchild ignores":  `sh -c 'trap "" TERM; echo ready; while :; do sleep 0.1; done' & wait`,
	"group of its own":    "set -m; sleep 1000 & sleep 1000 & echo ready; wait",
	"session of its own":  "setsid sh -c 'echo ready; sleep 1000' & wait",
	"session, shell gone": "setsid sh -c 'trap \"\" TERM; echo ready; sleep 1000; sleep 1000' & exec sleep 1000",
	"no environment":      "env -i setsid sleep 1000 & echo ready; sleep 1000",
	"none, ignores TERM":  `env -i setsid sh -c 'trap "" TERM; echo ready; sleep 1000; sleep 1000' & wait`,
}

func TestNoOrphans(t *testing.T) {
	for name, line := range stubborn {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS != "linux" && (strings.Contains(line, "setsid") || strings.Contains(line, "set -m")) {
				t.Skip("only /proc finds what left the group")
			}
			output := newReady()
			cause := errors.New("the user said stop")
			unique := "1000." + strconv.Itoa(rand.IntN(1e9)) // identifies the sleepers
			_, err := Run(cancelOnceReady(t, output, cause), Command{
				Shell: strings.ReplaceAll(line, "1000", unique) + " # " + unique,
				Dir:   "/", Environ: os.Environ(), Stdout: output, Grace: 100 * time.Millisecond,
			})
			if !errors.Is(err, cause) {
				t.Fatalf("ended with %v", err)
			}
			if alive := started(t, unique); len(alive) > 0 {
				t.Errorf("still alive: %v", alive)
			}
		})
	}
}

// started lists the living processes with a text in their command line.
func started(t *testing.T, text string) (found []string) {
	t.Helper()
	list, err := exec.Command("ps", "-A", "-o", "pid=,command=").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if strings.Contains(line, text) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

func TestTermComesFirst(t *testing.T) {
	output := newReady()
	result, err := Run(cancelOnceReady(t, output, errors.New("stop")), Command{
		Shell: "trap 'echo tidied up; exit 7' TERM; echo ready; while :; do sleep 0.02; done",
		Dir:   "/", Environ: os.Environ(), Stdout: output,
	})
	if err == nil || result.ExitCode != 7 || !strings.Contains(output.String(), "tidied up") {
		t.Errorf("%q, exit %d, %v", output.String(), result.ExitCode, err)
	}
}

func TestCancelDoesNotWaitOutItsGrace(t *testing.T) {
	output := newReady()
	ctx := cancelOnceReady(t, output, errors.New("stop"))
	_, err := Run(ctx, Command{Shell: "sleep 1000 & sleep 1000 & echo ready; wait", Dir: "/", Environ: os.Environ(), Stdout: output, Grace: time.Hour})
	if err == nil {
		t.Error("it was not stopped")
	}
}

func TestCausesAreDistinguished(t *testing.T) {
	deadline := errors.New("deadline")
	output := newReady()
	ctx := cancelOnceReady(t, output, deadline)
	result, err := Run(ctx, Command{Shell: "echo before; echo ready >&2; sleep 1000", Dir: "/", Environ: os.Environ(), Stderr: output})
	if !errors.Is(err, deadline) || result.Stdout.Text() != "before\n" || result.Signal != "terminated" {
		t.Errorf("%v, %+v", err, result)
	}
	if _, err = Run(ctx, Command{Shell: "echo never", Dir: "/", Environ: os.Environ()}); !errors.Is(err, deadline) {
		t.Errorf("started after the end: %v", err)
	}
}

func TestCancelDuringTheDrainKillsTheBackgroundToo(t *testing.T) {
	output := newReady()
	_, err := Run(cancelOnceReady(t, output, errors.New("stop")), Command{
		Shell: "sleep 1000.4321 & echo ready", Dir: "/", Environ: os.Environ(), Stdout: output,
	})
	if alive := started(t, "1000.4321"); err == nil || len(alive) > 0 {
		t.Errorf("%v, alive: %v", err, alive)
	}
}
