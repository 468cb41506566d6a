package shell

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newEnv(t testing.TB) tools.Env {
	t.Helper()
	return tools.Env{
		Dir: t.TempDir(), Coding: true, Environ: os.Environ(), Now: time.Now, Progress: func(string) {}, Seen: &tools.Stamps{},
	}
}

// untimed removes the duration from a report, because it differs in each run.
func untimed(text string) string { return took.ReplaceAllString(text, "") }

var took = regexp.MustCompile(`\[exit code: 0, took [0-9.ms]+\]\n|, took [0-9.ms]+`)

func decode(t *testing.T, args map[string]any) tools.Call {
	t.Helper()
	encoded, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	call, err := Tools()[0].Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return call
}

func TestReports(t *testing.T) {
	for line, want := range map[string]string{
		"echo out":                        "out\n",
		"true":                            "(no output)\n",
		"false":                           "(no output)\n[exit code: 1]\n",
		"printf out; printf err >&2":      "out\nSTDERR:\nerr\n",
		"echo err >&2; exit 3":            "STDERR:\nerr\n[exit code: 3]\n",
		"kill -KILL $$":                   "(no output)\n[exit code: 137, ended by a signal: killed]\n",
		`printf '1%%\r50%%\r100%%\ndone'`: "100%\ndone\n",
		`printf 'a\r\nb\r\n'`:             "a\nb\n",
		`printf 'a\0b'`:                   "a␀b\n",
		`echo "$UNSET."`:                  ".\n", // the line has the same meaning as in any shell
	} {
		output, err := decode(t, map[string]any{"command": line}).Run(t.Context(), newEnv(t))
		if err != nil || untimed(output.Text) != want || !took.MatchString(output.Text) {
			t.Errorf("%s: %q, %v; want %q", line, output.Text, err, want)
		}
	}
}

func TestRunsInTheWorkingDirectory(t *testing.T) {
	env := newEnv(t)
	output, err := decode(t, map[string]any{"command": `pwd; echo "$PWD"; touch made`}).Run(t.Context(), env)
	if err != nil || untimed(output.Text) != env.Dir+"\n"+env.Dir+"\n" {
		t.Errorf("%q, %v", output.Text, err)
	}
	if _, err := os.Stat(filepath.Join(env.Dir, "made")); err != nil {
		t.Error(err)
	}
	env.Dir = ""
	if _, err = decode(t, map[string]any{"command": "pwd"}).Run(t.Context(), env); err == nil || !strings.Contains(err.Error(), "set_working_dir") {
		t.Errorf("without a working directory: %v", err)
	}
}

func TestTimedOutKeepsWhatThereWas(t *testing.T) {
	call := decode(t, map[string]any{"command": "echo before; sleep 1000", "timeout": 1})
	started := time.Now()
	_, err := call.Run(t.Context(), newEnv(t))
	if !errors.Is(err, tools.ErrDeadline) || !strings.Contains(err.Error(), "timed out after 1s") || !strings.Contains(err.Error(), "before\n") {
		t.Errorf("ended with %v", err)
	}
	if took := time.Since(started); took > 2*time.Minute { // the command sleeps for 1,000 s
		t.Errorf("took %v", took)
	}
}

func TestInterruptedIsNotTimedOut(t *testing.T) {
	byUser := errors.New("the user pressed Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	env := newEnv(t)
	env.Progress = func(line string) {
		if line != "1s working" {
			t.Errorf("progress says %q", line)
		}
		cancel(byUser)
	}
	_, err := decode(t, map[string]any{"command": "echo working; sleep 1000"}).Run(ctx, env)
	if !errors.Is(err, byUser) || errors.Is(err, tools.ErrDeadline) || !strings.HasPrefix(err.Error(), "interrupted;") || !strings.Contains(err.Error(), "working\n") {
		t.Errorf("ended with %v", err)
	}
}

func TestServerInTheBackground(t *testing.T) {
	output, err := decode(t, map[string]any{"command": "sleep 1000 >/dev/null 2>&1 & echo $!"}).Run(t.Context(), newEnv(t))
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(output.Text, "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	server, _ := os.FindProcess(pid)
	defer func() {
		if err := server.Kill(); err != nil {
			t.Errorf("it does not run: %v", err)
		}
	}()
	if !strings.Contains(rest, "still running in the background") || !strings.Contains(rest, "pid "+first+": ") {
		t.Errorf("says %q", rest)
	}
}

func TestTimeoutIsClampedAndBoundsTheCall(t *testing.T) {
	for given, want := range map[any]time.Duration{0: 1 * time.Second, 7: 7 * time.Second, "30": 30 * time.Second, 99999: 600 * time.Second, -1: 1 * time.Second} {
		if got := decode(t, map[string]any{"command": "x", "timeout": given}).Timeout; got != want+grace {
			t.Errorf("timeout %v gives %v", given, got)
		}
	}
	if got := decode(t, map[string]any{"cmd": "x"}).Timeout; got != 60*time.Second+grace {
		t.Errorf("without a timeout: %v", got)
	}
}

func TestConfirmShowsExactlyWhatRuns(t *testing.T) {
	env := newEnv(t)
	line := "ls \u202e gpj.\r\x1b[2K\u200bok\nrm -rf x\t# \U000E0041"
	title, detail := decode(t, map[string]any{"command": line}).Confirm(env)
	want := "ls ‹U+202E› gpj.‹U+000D›‹U+001B›[2K‹U+200B›ok\nrm -rf x\t# ‹U+E0041›\nin " + env.Dir
	if title == "" || detail != want {
		t.Errorf("%q: %q, want %q", title, detail, want)
	}
}

func TestRefusals(t *testing.T) {
	for _, line := range []string{"", "  \n", "echo a\x00b"} {
		if output, err := decode(t, map[string]any{"command": line}).Run(t.Context(), newEnv(t)); err == nil {
			t.Errorf("%q ran: %s", line, output.Text)
		}
	}
	if _, err := Tools()[0].Decode(nil); err == nil || !strings.Contains(err.Error(), "command is required") {
		t.Errorf("an empty call: %v", err)
	}
}

func TestFlags(t *testing.T) {
	tool := Tools()[0]
	if !tool.Core || !tool.Coding || !tool.Writes || !tool.Confirms || tool.Pool != tools.Command || tool.Access != tools.Shared {
		t.Errorf("flags: %+v", tool)
	}
}
