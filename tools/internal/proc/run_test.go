package proc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestOutputAndExitCode(t *testing.T) {
	result, err := shell(t, "echo out; echo err >&2; exit 3")
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Stdout.Text() + "|" + result.Stderr.Text(); got != "out\n|err\n" {
		t.Errorf("output %q", got)
	}
	if result.ExitCode != 3 || result.Signal != "" || result.Left != nil {
		t.Errorf("ended as %+v", result)
	}
}

func TestSignalIsNamed(t *testing.T) {
	result, err := shell(t, "kill -SEGV $$")
	if err != nil {
		t.Fatal(err)
	}
	if result.ExitCode != 139 || result.Signal != "segmentation fault" {
		t.Errorf("ended with %d, %q", result.ExitCode, result.Signal)
	}
}

func TestBackgroundChildDoesNotHoldTheCall(t *testing.T) {
	// A child is a shell until it becomes sleep, and the call could end before that.
	const sleeping = "until [ ! -d /proc/$! ] || grep -qs sleep /proc/$!/comm; do :; done; echo $!"
	for name, line := range map[string]string{
		"holds the pipe":      "sleep 1000 & " + sleeping,
		"output elsewhere":    "sleep 1000 >/dev/null 2>&1 & " + sleeping,
		"group of its own":    "set -m; sleep 1000 & " + sleeping,
		"session of its own":  `setsid sh -c 'echo $$ >pid; exec sleep 1000' >/dev/null 2>&1 & until [ -s pid ] && grep -qs sleep /proc/$(cat pid)/comm; do sleep 0.01; done; cat pid`,
		"and the shell fails": "sleep 1000 & " + sleeping + "; exit 1",
	} {
		t.Run(name, func(t *testing.T) {
			started := time.Now()
			result, err := shell(t, line)
			took := time.Since(started)
			if err != nil {
				t.Fatal(err)
			}
			if took > 2*time.Minute { // remaining processes sleep for 1,000 s
				t.Errorf("returned after %v", took)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(result.Stdout.Text()))
			if err != nil {
				t.Fatalf("no pid in %q", result.Stdout.Text())
			}
			background, err := os.FindProcess(pid)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := background.Kill(); err != nil {
					t.Errorf("the background child was not left alone: %v", err)
				}
			}()
			if len(result.Left) != 1 || result.Left[0].PID != pid || !strings.HasPrefix(result.Left[0].Command, "sleep") {
				t.Errorf("reported as left running: %+v, want pid %d", result.Left, pid)
			}
		})
	}
}

// A Python finds its virtual environment by the path by which it was started.
func TestAProgramIsCalledAsItWasNamed(t *testing.T) {
	sh, err := Find("sh", os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	for want, command := range map[string]Command{sh: {Name: sh}, "sh": {Name: "sh"}, "other": {Name: sh, Argv0: "other"}} {
		command.Args, command.Dir, command.Environ = []string{"-c", "echo $0"}, "/", os.Environ()
		if result, err := Run(t.Context(), command); err != nil || result.Stdout.Text() != want+"\n" {
			t.Errorf("%s is called %q, %v", want, result.Stdout.Text(), err)
		}
	}
}

func TestNothingCanAskThroughATerminal(t *testing.T) {
	for _, line := range []string{
		"read answer",     // stdin is empty
		"exec 3</dev/tty", // there is no terminal to open
		"$EDITOR file",    // editors fail
		"git init -q . && git commit --allow-empty", // so does a commit without a message
	} {
		result, err := shell(t, line)
		if err != nil {
			t.Fatal(err)
		}
		if result.ExitCode == 0 {
			t.Errorf("%s: went through: %s", line, result.Stdout.Text())
		}
	}
	result, err := shell(t, "echo paged | ${PAGER}")
	if err != nil || result.Stdout.Text() != "paged\n" {
		t.Errorf("pager: %q, %v", result.Stdout.Text(), err)
	}
}

func TestYesStaysBounded(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	result, err := Run(ctx, Command{Name: "yes", Dir: "/", Environ: os.Environ(), Limit: 1000})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("stopped by %v", err)
	}
	if len(result.Stdout.Bytes) != 1000 || result.Stdout.Total < 1<<20 {
		t.Errorf("kept %d of %d bytes", len(result.Stdout.Bytes), result.Stdout.Total)
	}
	if result.Stdout.Dropped() != result.Stdout.Total-1000 || !strings.Contains(result.Stdout.Text(), "bytes left out …]") {
		t.Errorf("says nothing of the %d bytes dropped", result.Stdout.Dropped())
	}
}

func TestChildThatReadsNothing(t *testing.T) {
	result, err := Run(t.Context(), Command{
		Name: "true", Dir: "/", Environ: os.Environ(), Stdin: strings.Repeat("unread ", 1<<20),
	})
	if err != nil || result.ExitCode != 0 {
		t.Errorf("EPIPE on stdin came through: %+v, %v", result, err)
	}
}

func TestStdinArrives(t *testing.T) {
	text := strings.Repeat("line\n", 1<<16)
	result, err := Run(t.Context(), Command{
		Name: "cat", Dir: "/", Environ: os.Environ(), Stdin: text, Limit: 1 << 20,
	})
	if err != nil || result.Stdout.Text() != text {
		t.Errorf("got %d bytes of %d, %v", result.Stdout.Total, len(text), err)
	}
}

// enough accepts a few bytes and then returns an error.
type enough struct{ taken int }

var errEnough = errors.New("enough")

func (e *enough) Write(p []byte) (int, error) {
	e.taken += len(p)
	return 0, errEnough
}

func TestWriterEndsTheCommand(t *testing.T) {
	writer := &enough{}
	_, err := Run(t.Context(), Command{Name: "yes", Dir: "/", Environ: os.Environ(), Stdout: writer})
	if err != nil && !errors.Is(err, errEnough) {
		t.Errorf("ended with %v", err)
	}
	if writer.taken == 0 || writer.taken > 1<<20 {
		t.Errorf("took %d bytes", writer.taken)
	}
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("writer broke") }

func TestPanicOfAWriterIsAnError(t *testing.T) {
	_, err := Run(t.Context(), Command{Name: "echo", Dir: "/", Environ: os.Environ(), Stdout: panicking{}})
	if err == nil || !strings.Contains(err.Error(), "writer broke") {
		t.Errorf("got %v", err)
	}
}

func TestProgressTellsTheLastLine(t *testing.T) {
	var lines []string
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := Run(ctx, Command{
		Shell: `echo first; printf 'half a \r line'; sleep 30`, Dir: "/", Environ: os.Environ(),
		Progress: func(line string) { lines = append(lines, line); cancel() },
	})
	if !errors.Is(err, context.Canceled) || len(lines) != 1 || lines[0] != " line" {
		t.Errorf("progress %q, %v", lines, err)
	}
}

func TestStartFailures(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for name, command := range map[string]Command{
		"no such file":                    {Name: "true", Dir: missing},
		"program not found on PATH":       {Name: "no-such-program", Dir: "/"},
		"is not absolute":                 {Name: "true", Dir: "."},
		"neither an absolute path nor":    {Name: "./true", Dir: "/"},
		"neither an absolute path nor th": {Name: "", Dir: "/"},
	} {
		command.Environ = os.Environ()
		if _, err := Run(t.Context(), command); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v", command, err)
		}
	}
}

func TestLineMayBeginWithADash(t *testing.T) {
	onlySh := t.TempDir()
	sh, err := Find("sh", os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(sh, filepath.Join(onlySh, "sh")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{os.Getenv("PATH"), onlySh} { // with bash, then without
		result, err := Run(t.Context(), Command{Shell: "-x; echo done", Dir: "/", Environ: []string{"PATH=" + path}})
		if err != nil || result.Stdout.Text() != "done\n" || !strings.Contains(result.Stderr.Text(), "not found") {
			t.Errorf("PATH=%s: %q, %q, %v", path, result.Stdout.Text(), result.Stderr.Text(), err)
		}
	}
}
