package tools

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made makes directories below a new one, whose path contains no links.
func made(t *testing.T, names ...string) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(top, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func TestModelDirectoryArgument(t *testing.T) {
	for _, row := range []struct {
		env        Env
		path, want string
	}{
		{Env{Home: "/home/u", Dir: "/p"}, "~", "/home/u"},
		{Env{Home: "/home/u", Dir: "/p"}, " ~/a/../b ", "/home/u/b"},
		{Env{Home: "/home/u", Dir: "/p"}, "~other", "/p/~other"},
		{Env{Dir: "/p"}, "~/a", "there is no home directory here for ~; give an absolute path"},
		{Env{}, "/a//b/", "/a/b"},
		{Env{Dir: "/p"}, "a/./b", "/p/a/b"},
		{Env{Dir: "/p"}, "", "/p"},
		{Env{}, "a", "the path \"a\" is not absolute, and no working directory is set\nGive an absolute path."},
	} {
		got, err := row.env.Directory(row.path)
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%q: %q, want %q", row.path, got, row.want)
		}
	}
}

// A call can enter directories below the root or the working directory, and directories that were
// approved.
func TestEnteredDirectories(t *testing.T) {
	top := made(t, "root/a", "work/b", "other", "allowed")
	in := func(name string) string { return filepath.Join(top, name) }
	if err := os.Symlink(in("other"), in("root/link")); err != nil {
		t.Fatal(err)
	}
	env := Env{Root: in("root"), Dir: in("work"), Held: Held{Beyond: []string{in("allowed")}}}
	for path, want := range map[string]string{
		in("root"): in("root"), in("root/a"): in("root/a"), "b": in("work/b"), in("work"): in("work"), in("allowed"): in("allowed"),
		in("other"): "forbidden", in("root/link"): "forbidden", "..": "forbidden", "../allowed": in("allowed"),
		in("root/none"): "the directory " + in("root/none") + " cannot be used: it does not exist", "~": "there is no home directory here",
	} {
		got, err := env.Enter(path)
		switch {
		case errors.Is(err, ErrForbidden):
			got = "forbidden"
		case err != nil:
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || err == nil && got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	_, err := env.Enter(in("other"))
	want := in("other") + " is outside of " + in("root") + "\nWork in " + in("root") + ". Tell the user: to let Marvin work there, start it with --working-dir " + in("other") +
		", or add this rule under \"allow:\" in \"permissions:\" in config.yaml: 'set_working_dir(" + in("other") + ")', or allow all calls with --approve all."
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	if env.Root = ""; env.base() != "any working directory" {
		t.Errorf("without a root it is held to %s", env.base())
	}
}

func TestDirectoryQuestion(t *testing.T) {
	top := made(t, "real")
	link := filepath.Join(top, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	const ends = "File tools can then read and change everything there."
	for want, dirs := range map[string][]string{
		ends: nil, top + "\n" + ends: {top}, top + "/none\n" + ends: {top + "/none"}, link + "\nwhich is " + top + "/real\n" + top + "\n" + ends: {link, top},
	} {
		if got := ShowDirs(dirs...); got != want {
			t.Errorf("%q: %s", dirs, got)
		}
	}
	call := Call{Tool: &Tool{Name: "git_log"}}
	if title, detail := call.Question(Verdict{}, []byte(`{"a":1}`)); title != "Run git_log?" || detail != ShowArgs([]byte(`{"a":1}`)) {
		t.Errorf("%s %s", title, detail)
	}
	beyond := Verdict{Beyond: []string{top}}
	if title, detail := call.Question(beyond, []byte(`{"a":1}`)); title != "Let git_log work in another directory?" || detail != top+"\n"+ends+"\n"+ShowArgs([]byte(`{"a":1}`)) {
		t.Errorf("%s %s", title, detail)
	}
}

func TestThePlacesOfATool(t *testing.T) {
	dir := made(t)
	env := Env{Dir: dir}
	for _, row := range []struct {
		tool Tool
		want string
	}{
		{Tool{Section: "Notes", Effect: Writes}, "state Notes w"},
		{Tool{Section: "Notes", Effect: Reads}, "state Notes"},
		{Tool{Section: "Web", Effect: Reads, Pool: Net}, ""},
		{Tool{Section: "Web", Effect: Outside, Pool: Net}, "state Web w"},
		{Tool{Section: "Web", Effect: Reads, Pool: Net, State: "clock"}, "state clock"},
		{Tool{Section: "Files", Effect: Reads, Access: Shared}, "dir"},
		{Tool{Section: "Files", Effect: Writes, Access: Exclusive}, "dir w"},
		{Tool{Section: "Files", Effect: Writes, Access: Exclusive, State: "index"}, "dir w|state index w"},
	} {
		var got []string
		for _, place := range placesOf(row.tool, env) {
			one := map[bool]string{true: "dir", false: "state " + place.State}[place.Path == dir]
			if place.Write {
				one += " w"
			}
			got = append(got, one)
		}
		if text := strings.Join(got, "|"); text != row.want {
			t.Errorf("%+v: %s, want %s", row.tool.Section, text, row.want)
		}
	}
	if got := (Env{}).PlaceAt("x", true); got != (Place{State: "no working directory", Write: true}) {
		t.Errorf("without a directory: %+v", got)
	}
	if got := ResolveLinks(filepath.Join(dir, "none", "..", "deep", "file")); got != filepath.Join(dir, "deep", "file") || ResolveLinks("/") != "/" || ResolveLinks("/nowhere/at/all") != "/nowhere/at/all" {
		t.Errorf("%s", got)
	}
}

func TestPreviewOfChange(t *testing.T) {
	type named struct {
		Path string `json:"path" doc:"A file"`
	}
	diff := "-a\n+b\x1b\n"
	tool := WithPreview(New(Def[named]{Name: "edit", Doc: "Edits.", Run: func(context.Context, Env, named) (Output, error) { return Output{}, nil }}),
		func(_ Env, in named) string { return strings.ReplaceAll(diff, "a", in.Path) })
	tool = Titled(tool, func(in named) string { return strings.TrimPrefix(in.Path, "plain ") })
	for args, want := range map[string]string{`{"path":"x"}`: "edit x", `{"path":"plain "}`: "edit plain"} {
		call, err := tool.Decode(json.RawMessage(args))
		if err != nil || call.Title != want {
			t.Errorf("%s: %q, %v", args, call.Title, err)
		}
	}
	call, err := tool.Decode(json.RawMessage(`{"path":"x"}`))
	if got := call.Change(Env{}); err != nil || got != "-x\n+b‹U+001B›\n" {
		t.Errorf("%q, %v", got, err)
	}
	diff = strings.Repeat("a", mostShown)
	if got := call.Change(Env{}); len(got) != mostShown {
		t.Errorf("of the longest %d bytes are shown", len(got))
	}
	if diff += "a"; call.Change(Env{}) != "" {
		t.Error("a longer one is shown")
	}
	if (Call{}).Change(Env{}) != "" {
		t.Error("a call that changes no files has a change")
	}
	if call, err := tool.Decode(json.RawMessage(`{}`)); err == nil {
		t.Errorf("without what it needs: %+v", call.Title)
	}
}

// The branch is read only from a regular file of limited size, and a commit hash is not a branch.
func TestTheBranchOfADirectory(t *testing.T) {
	for head, want := range map[string]string{
		"ref: refs/heads/main\n": "main", "ref: refs/heads/a/b": "a/b", "0123456789abcdef\n": "", "ref: refs/tags/x\n": "", "": "",
		"ref: refs/heads/" + strings.Repeat("x", 4<<10-16): strings.Repeat("x", 4<<10-16), "ref: refs/heads/" + strings.Repeat("x", 4<<10-15): "",
	} {
		dir := made(t, ".git/objects", ".git/refs", "sub")
		if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte(head), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := Branch(filepath.Join(dir, "sub")); got != want {
			t.Errorf("%.40q: %.40q", head, got)
		}
		if got := Project(filepath.Join(dir, "sub")); want == "main" && got != dir {
			t.Errorf("the project is %s", got)
		}
	}
	if bare := made(t, "sub"); Branch(bare) != "" || Branch("") != "" || Project(filepath.Join(bare, "sub")) != filepath.Join(bare, "sub") {
		t.Error("a directory without git has a branch, or a project")
	}
}

func TestWritersAreWatchedForRepositoryChanges(t *testing.T) {
	for _, row := range []struct {
		tool    Tool
		mode    SandboxMode
		alarmed bool
	}{
		{Tool{Name: "free", Access: Free, Effect: Reads}, SandboxAuto, false},
		{Tool{Name: "reads", Access: Shared, Effect: Reads}, SandboxAuto, true},
		{Tool{Name: "sends", Access: Free, Effect: Outside}, SandboxAuto, true},
		{Tool{Name: "writes", Access: Exclusive, Effect: Writes}, SandboxAuto, true},
		{Tool{Name: "writes", Access: Exclusive, Effect: Writes}, SandboxOff, false},
	} {
		root := made(t, "project/.git/objects", "project/.git/refs", "other/objects", "other/refs")
		project, other := filepath.Join(root, "project"), filepath.Join(root, "other")
		for _, dir := range []string{filepath.Join(project, ".git"), other} {
			if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		env := Env{Root: project, Dir: project, Held: Held{Sandbox: NewSandbox(SandboxConfig{Mode: row.mode, Home: root})}}
		wrong := errors.New("its own")
		output, err := env.runWatched(row.tool, func() (Output, error) {
			gone := os.RemoveAll(filepath.Join(project, ".git"))
			return Output{Text: "done\n"}, errors.Join(wrong, gone, os.WriteFile(filepath.Join(project, ".git"), []byte("gitdir: "+other+"\n"), 0o644))
		})
		if !errors.Is(err, wrong) || !strings.HasPrefix(output.Text, "done\n") {
			t.Errorf("%+v: what it did is lost: %q, %v", row.tool.Name, output.Text, err)
		}
		if (output.Alarm != "") != row.alarmed || strings.Contains(output.Text, "[WARNING: ") != row.alarmed {
			t.Errorf("%s, mode %v: %q, %q", row.tool.Name, row.mode, output.Alarm, output.Text)
		}
		if row.alarmed {
			const ends = ". Do not run git there outside the sandbox, not even \"git status\", until that is corrected."
			if !strings.HasPrefix(output.Alarm, "After "+row.tool.Name+", ") || !strings.HasSuffix(output.Alarm, ends) {
				t.Errorf("%s", output.Alarm)
			}
			again, _ := env.runWatched(row.tool, func() (Output, error) { return Output{Text: "done\n"}, nil })
			if again.Alarm != "" || !strings.Contains(again.Text, "[WARNING: ") {
				t.Errorf("the next call: %q, %q", again.Alarm, again.Text)
			}
			refused, _ := env.runWatched(row.tool, func() (Output, error) { return Output{}, ErrRepositoryMoved })
			if refused.Alarm != "" || refused.Text != "" {
				t.Errorf("a call that said so itself: %q, %q", refused.Alarm, refused.Text)
			}
		}
		if err := env.CheckRepository(); (err != nil) != (row.mode != SandboxOff && row.alarmed) {
			t.Errorf("%s, mode %v: %v", row.tool.Name, row.mode, err)
		}
	}
}
