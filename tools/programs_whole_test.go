package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/disktest"
	"marvin/tools/internal/gitdir"
)

func TestLinesOfARebaseAreReported(t *testing.T) {
	root := made(t, ".git/objects", ".git/refs", ".git/rebase-merge")
	if err := os.WriteFile(filepath.Join(root, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env := Env{Root: root, Dir: root, Held: Held{Sandbox: NewSandbox(SandboxConfig{Home: made(t)})}}
	call := func(todo string) Output {
		output, err := env.runWatched(Tool{Name: "run_command", Access: Exclusive, Effect: Writes}, func() (Output, error) {
			return Output{Text: "done\n"}, os.WriteFile(filepath.Join(root, ".git", "rebase-merge", "git-rebase-todo"), []byte(todo), 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
		return output
	}
	alarm := "After run_command, continuing the rebase in " + root + " would run these commands: make; rm -rf ‹U+001B›x. Check the commands first, or continue the rebase only in the sandbox (the model's run_command)."
	for _, row := range []struct{ todo, alarm string }{
		{"pick 1\n", ""}, {"pick 1\nexec make\nx rm -rf \x1bx\nexec\n", alarm}, {"pick 1\nexec make\nx rm -rf \x1bx\n", ""}, {"", ""}, {"exec make\nx rm -rf \x1bx\n", alarm},
	} {
		text := "done\n"
		if row.alarm != "" {
			text += "\n[WARNING: " + row.alarm + "]\n"
		}
		if got := call(row.todo); got.Alarm != row.alarm || got.Text != text {
			t.Errorf("%q: %q\n%q", row.todo, got.Alarm, got.Text)
		}
	}
	if err := env.CheckRepository(); err != nil {
		t.Error(err)
	}
	moved := unsafe(root, gitdir.ErrMoved).Error()
	if want := gitdir.ErrMoved.Error() + "\nTell the user: do not run git in " + root + " outside the sandbox, not even \"git status\", until that is corrected. Until then, Marvin's git tools do not run."; moved != want {
		t.Errorf("%s", moved)
	}
}

func TestProgramLookup(t *testing.T) {
	top := made(t, "bin", "project/bin")
	for _, dir := range []string{"bin", "project/bin"} {
		if err := disktest.WriteProgram(filepath.Join(top, dir, "xyz"), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	bin, project := filepath.Join(top, "bin"), filepath.Join(top, "project")
	environ := Distrust([]string{"PATH=" + filepath.Join(project, "bin") + ":" + bin, "A=1"}, project, "relative", "")
	if path, err := Program("xyz", environ); err != nil || path != filepath.Join(bin, "xyz") {
		t.Errorf("%s, %v", path, err)
	}
	if left := LeftOut(environ); !reflect.DeepEqual(left, []string{filepath.Join(project, "bin")}) {
		t.Errorf("left out are %q", left)
	}
	if plain := PlainEnviron(environ); !slices.Contains(plain, "A=1") || len(plain) != 2 || !strings.HasPrefix(plain[0], "PATH="+project) {
		t.Errorf("a shell of the person's has %q", plain)
	}
	if trusted := Trusted(environ); !slices.Contains(trusted, "PATH="+bin) || !slices.Contains(trusted, "A=1") {
		t.Errorf("a program of Marvin's own has %q", trusted)
	}
	secrets, unknown := Withheld([]string{"A_TOKEN=0123456789", "HOME=/h", "ODD_ONE=1"})
	if strings.Join(secrets, " ") != "A_TOKEN" || strings.Join(unknown, " ") != "ODD_ONE" {
		t.Errorf("withheld are %q and %q", secrets, unknown)
	}
	home := made(t, ".ssh")
	if err := os.WriteFile(filepath.Join(home, ".ssh", "A_KEY"), []byte(" sk-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"A_KEY": {"sk-1", filepath.Join(home, ".ssh", "A_KEY"), ""}, "B_KEY": {"", filepath.Join(home, ".ssh", "B_KEY"), "does not exist"}} {
		text, path, problem := KeyFile(home, name)
		if got := []string{text, path, problem}; !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if client := NewHTTPClient(nil); client == nil || client.Timeout != 0 && client.Timeout < DefaultTimeout {
		t.Errorf("%+v", client)
	}
}

// If no program has a key, the error names the programs that were asked, and never a key.
func TestKeyringErrors(t *testing.T) {
	programs := made(t)
	program := func(name, script string) {
		if err := disktest.WriteProgram(filepath.Join(programs, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/bin/sh", filepath.Join(programs, "sh")); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + programs}
	program("security", `[ "$*" = "find-generic-password -s marvin -a mine -w" ] && pwd && exit 0`+"\nexit 44\n")
	for source, want := range map[string]string{
		"keyring:mine":        "/",
		"keyring:other":       "the keyring has no entry for marvin under other (it ended with exit code 44)",
		"!pwd":                "/",
		"!exit 3":             "it ended with exit code 3",
		"!printf '%04097d' 1": "the content is too long for a key",
	} {
		got, err := KeyAt(t.Context(), environ, "", source)
		if err != nil {
			got += err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
	if got, err := KeyAt(t.Context(), environ, "", "!printf '%04096d' 1"); err != nil || len(got) != largestKey {
		t.Errorf("the longest key has %d bytes, %v", len(got), err)
	}
	if err := KeepKey(t.Context(), environ, "", "mine", "sk-1"); err != errNoRing {
		t.Errorf("it is kept by security: %v", err)
	}
	program("secret-tool", "read -r x; exit 7\n")
	if err := KeepKey(t.Context(), environ, "", "mine", "sk-1"); err == nil || err.Error() != "it ended with exit code 7" {
		t.Errorf("%v", err)
	}
	program("secret-tool", "read -r x; printf '\\n  %0300d\\nmore\\n' 7 >&2; exit 7\n")
	if err := KeepKey(t.Context(), environ, "", "mine", "sk-1"); err == nil || err.Error() != "the keyring did not store the key ("+strings.Repeat("0", 200)+"…)" {
		t.Errorf("%v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if got, err := KeyAt(ctx, environ, "", "!echo sk-1"); got != "" || err == nil {
		t.Errorf("when no one waits: %q, %v", got, err)
	}
}

// A picture contains its path, and the error for an unusable picture gives the reason.
func TestAPictureOfAFile(t *testing.T) {
	shown, err := Picture("a.gif", "/p/a.gif", []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	if err != nil || shown.Path != "/p/a.gif" || shown.Name != "a.gif" {
		t.Errorf("%+v, %v", shown, err)
	}
	if _, err := Picture("a.gif", "", []byte("GIF89a")); err == nil {
		t.Error("a damaged one is shown")
	}
	for state, running := range map[JobState]bool{JobRunning: true, JobCompleted: false, JobFailed: false, JobCancelled: false, JobDead: false} {
		if (Job{State: state}).Running() != running {
			t.Errorf("a job that is %s runs: %v", state, !running)
		}
	}
	type textArgs struct {
		Text string `json:"text" doc:"A text"`
	}
	tool := Titled(WithPreview(New(Def[textArgs]{Name: "x", Run: func(context.Context, Env, textArgs) (Output, error) { return Output{}, nil }}), func(_ Env, in int) string { return "changed" }), func(in int) string { return "titled" })
	call, err := tool.Decode(json.RawMessage(`{"text":"a"}`))
	if err != nil || call.Title != "x a" || call.Change(Env{}) != "" {
		t.Errorf("arguments of another type: %q, %q, %v", call.Title, call.Change(Env{}), err)
	}
}
