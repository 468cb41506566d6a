package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
)

func say(t *testing.T, env tools.Env, args map[string]any) string {
	t.Helper()
	output, err := decode(t, args).Run(t.Context(), env)
	if err != nil {
		return "Error: " + err.Error()
	}
	return output.Text
}

// Omitted lines are counted exactly, and only once: the result of a tool is not cut a second time
// on its way to the model.
func TestOmittedOutputIsCounted(t *testing.T) {
	for name, line := range map[string]string{
		"more than is kept":       "seq 100000",
		"more than is shown":      "seq 5000",
		"few long lines":          "for i in $(seq 300); do printf \"$i %0999d\\n\" 0; done",
		"without a line end":      "seq 100000 | head -c 300000",
		"on the other stream":     "seq 100000 >&2",
		"wide letters":            "for i in $(seq 6000); do echo \"$i äöü 日本語日本語\"; done",
		"both, and each too much": "seq 100000; seq 50000 >&2",
	} {
		text := say(t, newEnv(t), map[string]any{"command": line})
		again, cut := tools.ResultLimits.Cut(text)
		if cut || again != text {
			t.Errorf("%s: it is cut once more, from %d to %d bytes", name, len(text), len(again))
		}
		whole, err := exec.Command("bash", "-c", "( "+line+" ) 2>&1").Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(strings.TrimSuffix(string(whole), "\n"), "\n") + 1
		shown, missing := 0, 0
		bytes, lost := 0, 0
		for each := range strings.Lines(text) {
			var n, size int
			switch count, _ := fmt.Sscanf(each, "[… %d lines (%d bytes) left out …]", &n, &size); {
			case count == 2:
				missing, lost = missing+n, lost+size
			case strings.HasPrefix(each, "[exit code") || each == "STDERR:\n":
			default:
				shown, bytes = shown+1, bytes+len(each)
			}
		}
		if name == "without a line end" {
			lines, bytes = lines-1, bytes-1 // here the output ends with a complete line; a partial line does not count
			if shown+missing != lines && shown+missing != lines+1 {
				t.Errorf("%s: %d lines shown, %d missing, of %d", name, shown, missing, lines)
			}
			continue
		}
		if missing == 0 || shown+missing != lines || bytes+lost != len(whole) {
			t.Errorf("%s: %d lines shown, %d missing, of %d; %d and %d bytes of %d", name, shown, missing, lines, bytes, lost, len(whole))
		}
	}
}

func TestTextIsClean(t *testing.T) {
	for line, want := range map[string]string{
		`printf '\033[31mred\033[0m\n'`:                         "red\n",
		`printf 'a\0b\nsecond\n'; printf 'c\0' >&2`:             "a␀b\nsecond\nSTDERR:\nc␀\n",
		`printf 'one: 1%%\ntwo: 1%%\n\033[2Aone: 99%%\033[K\n'`: "one: 99%\ntwo: 1%\n",
		`printf 'get   1%%\rget  50%%\rget 100%%\ndone\n'`:      "get 100%\ndone\n",
		`head -c 4000 /dev/zero; echo; echo after`:              "[binary data, 4001 bytes, not shown; to look into it, use \"file\", \"strings\" or \"xxd | head\"]\nafter\n",
		`printf 'caf\351\n'`:                                    "caf�\n",
	} {
		if got := untimed(say(t, newEnv(t), map[string]any{"command": line})); got != want {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
	text := say(t, newEnv(t), map[string]any{"command": "cat /bin/ls; echo; echo the end"})
	if len(text) > 20_000 || !strings.Contains(text, "[binary data, ") || !strings.Contains(text, "the end\n") {
		t.Errorf("a program is shown as %d bytes: %.500q", len(text), text)
	}
	text = say(t, newEnv(t), map[string]any{"command": "head -c 50000000 /dev/zero | tr '\\0' x"})
	if len(text) > 4200 || !strings.Contains(text, "x[… 49996000 more bytes on this line]\n[exit code: 0") {
		t.Errorf("one long line: %d bytes, %.200q", len(text), text[max(0, len(text)-200):])
	}
}

func TestRunsInADirectoryBelow(t *testing.T) {
	env := newEnv(t)
	env.Root = env.Dir
	if err := os.MkdirAll(filepath.Join(env.Dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range []map[string]any{{"cwd": "a/b"}, {"workdir": filepath.Join(env.Dir, "a", "b")}, {"working_directory": "./a/../a/b/"}} {
		args["command"] = "pwd"
		if got := untimed(say(t, env, args)); got != filepath.Join(env.Dir, "a", "b")+"\n" {
			t.Errorf("%v: %s", args, got)
		}
	}
	for _, cwd := range []string{"..", "/", "a/none", "~"} {
		if got := say(t, env, map[string]any{"command": "pwd", "cwd": cwd}); !strings.HasPrefix(got, "Error: ") {
			t.Errorf("%s: %s", cwd, got)
		}
	}
	_, detail := decode(t, map[string]any{"command": "ls", "cwd": "a"}).Confirm(env)
	if detail != "ls\nin "+filepath.Join(env.Dir, "a") {
		t.Errorf("a person is shown %q", detail)
	}
	// A line is judged for the directory in which it runs.
	call := decode(t, map[string]any{"command": "rm -rf ..", "cwd": "a"})
	if here, there := decode(t, map[string]any{"command": "rm -rf .."}), call; here.Scope(env).Dir == there.Scope(env).Dir {
		t.Error("a directory does not change what is judged")
	}
}

func TestAnInteractiveProgramIsEndedWithAdvice(t *testing.T) {
	text := say(t, newEnv(t), map[string]any{"command": "echo before; exec -a vim sleep 1000"})
	for _, want := range []string{"vim waits for input from a terminal", "apply_patch", "before\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q: %s", want, text)
		}
	}
	for line, want := range map[string]string{
		"bash":                                  "[bash reads its program from standard input, which is empty here",
		"bash -c true":                          "(no output)\n",
		"git init -q; git commit --allow-empty": "GIT_SEQUENCE_EDITOR",
	} {
		env := newEnv(t)
		env.Environ = append(env.Environ, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if text := say(t, env, map[string]any{"command": line}); !strings.Contains(text, want) {
			t.Errorf("%s: %s", line, text)
		}
	}
}

func TestAFailureIsAnsweredWithTheWayOn(t *testing.T) {
	for line, want := range map[string]string{
		"echo 'error: externally-managed-environment' >&2; exit 1":            "python3 -m venv .venv",
		"echo 'sudo: a terminal is required to read the password' >&2; false": "ask the user to type ! and then the command",
		"echo 'the input device is not a TTY'; exit 1":                        "omit -t",
	} {
		if text := say(t, newEnv(t), map[string]any{"command": line}); !strings.Contains(text, want) {
			t.Errorf("%s: %s", line, text)
		}
	}
	if text := say(t, newEnv(t), map[string]any{"command": "echo externally-managed-environment"}); strings.Contains(text, "venv") {
		t.Errorf("what does not fail is answered: %s", text)
	}
}
