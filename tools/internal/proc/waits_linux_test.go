package proc

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// A program that waits for keys is ended, within the time limit of the test.
func TestAProgramThatWaitsForATerminalIsEnded(t *testing.T) {
	for line, program := range map[string]string{
		"exec -a vim sleep 1000":                           "vim",
		"echo before; (exec -a /usr/bin/nano sleep 1000 )": "nano",
		`printf '\033[?1049h'; sleep 1000`:                 "sleep",
		"script -qc 'stty -icanon; exec cat' /dev/null":    "cat",
		"vim a-file": "vim",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			if words := strings.Fields(line); words[0] == "script" || words[0] == "vim" {
				if _, err := exec.LookPath(words[0]); err != nil {
					t.Skip(err)
				}
			}
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			defer stop()
			result, err := Run(ctx, Command{Shell: line, Dir: t.TempDir(), Environ: []string{"PATH=/usr/bin:/bin"}, Unattended: true})
			var waits *WaitError
			if !errors.As(err, &waits) || waits.Program != program {
				t.Errorf("%v, %+v", err, result)
			}
		})
	}
}

func TestSlowCommandIsNotEnded(t *testing.T) {
	var all sync.WaitGroup
	const burns = "renice 19 $$ >/dev/null; while :; do :; done" // uses only idle processor time
	for _, line := range []string{
		"sleep 1000", "exec -a vim perl -e 'sleep 1000'", "(exec -a sudo sleep 1000)", "sleep 1000 | cat", "read x < <(sleep 1000)", "exec -a python3 sleep 1000",
		`printf '\033[?1049h'; ` + burns, `printf '\033[?1049h\033[?1049l'; sleep 1000`, "script -qc 'sleep 1000' /dev/null",
		"exec -a vim sh -c '" + burns + "'", "exec -a vim sh -c 'while sleep 0.3; do echo x; done'",
	} {
		dir := t.TempDir()
		all.Go(func() {
			enough, stop := context.WithTimeoutCause(t.Context(), 4500*time.Millisecond, errors.New("it went on"))
			defer stop()
			result, err := Run(enough, Command{Shell: line, Dir: dir, Environ: []string{"PATH=/usr/bin:/bin"}, Unattended: true})
			if err == nil || !strings.Contains(err.Error(), "it went on") {
				t.Errorf("%s: %v, %+v", line, err, result)
			}
		})
	}
	all.Wait()
}
