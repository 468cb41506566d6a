package coding

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// place is a working directory with files.
type place struct {
	t   *testing.T
	dir string
	env tools.Env
}

func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{t: t, dir: dir, env: tools.Env{
		Home: t.TempDir(), Dir: dir, Coding: true, Now: time.Now, Progress: func(string) {}, Seen: &tools.Stamps{},
		Environ: []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"},
	}}
	for name, content := range files {
		p.write(name, content)
	}
	return p
}

func (p *place) write(name, content string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) git(args ...string) {
	p.t.Helper()
	args = append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always"}, args...)
	command := exec.Command("git", args...)
	command.Dir, command.Env = p.dir, p.env.Environ
	if out, err := command.CombinedOutput(); err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (p *place) decoded(name string, args map[string]any) tools.Call {
	p.t.Helper()
	encoded, err := json.Marshal(args)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, tool := range Tools() {
		if tool.Name == name {
			call, err := tool.Decode(encoded)
			if err != nil {
				p.t.Fatal(err)
			}
			return call
		}
	}
	p.t.Fatalf("there is no tool %s", name)
	return tools.Call{}
}

func (p *place) call(name string, args map[string]any) (string, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 20*time.Second)
	defer cancel()
	output, err := p.decoded(name, args).Run(ctx, p.env)
	return output.Text, err
}

func (p *place) must(name string, args map[string]any) string {
	p.t.Helper()
	text, err := p.call(name, args)
	if err != nil {
		p.t.Fatalf("%s %v: %v", name, args, err)
	}
	return text
}

func (p *place) refused(name string, args map[string]any, parts ...string) {
	p.t.Helper()
	text, err := p.call(name, args)
	if err == nil {
		p.t.Errorf("%s %v went through:\n%s", name, args, text)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			p.t.Errorf("%q is missing in: %v", part, err)
		}
	}
}

func TestSetWorkingDir(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/file": ""})
	p.env.Home = p.dir
	var set string
	p.env.SetDir = func(path string) error { set = path; return nil }
	for given, want := range map[string]string{
		"~/sub": p.dir + "/sub", p.dir + "/sub/": p.dir + "/sub", "~": p.dir, " " + p.dir + "/x/../sub": p.dir + "/sub",
	} {
		if got := p.must("set_working_dir", map[string]any{"path": given}); set != want || got != "Working directory: "+want {
			t.Errorf("%s: set %q, said %q", given, set, got)
		}
	}
	set = ""
	p.refused("set_working_dir", map[string]any{"path": "sub"}, "not absolute", "Do you mean "+p.dir+"/sub?")
	p.refused("set_working_dir", map[string]any{"path": "../sub"}, "not absolute", "Give an absolute path")
	p.refused("set_working_dir", map[string]any{"path": "~other/x"}, "not absolute")
	p.refused("set_working_dir", map[string]any{"path": p.dir + "/sub/none/deeper"}, "it does not exist", "nearest existing directory is "+p.dir+"/sub")
	p.refused("set_working_dir", map[string]any{"path": p.dir + "/sub/file"}, "nearest existing directory is "+p.dir+"/sub")
	p.env.Home = ""
	p.refused("set_working_dir", map[string]any{"path": "~/sub"}, "no home directory")
	if set != "" {
		t.Errorf("a refused call set %q", set)
	}
}

// A directory within reach needs no question, and for a link the question shows its target.
func TestSetWorkingDirAsks(t *testing.T) {
	p := newPlace(t, map[string]string{"real/file": ""})
	outside := t.TempDir()
	for link, target := range map[string]string{"link": "real", "away": outside} {
		if err := os.Symlink(target, filepath.Join(p.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(path string) (string, string) {
		return p.decoded("set_working_dir", map[string]any{"path": path}).Confirm(p.env)
	}
	if title, detail := ask(p.dir + "/away"); title == "" || !strings.HasPrefix(detail, p.dir+"/away\nwhich is "+outside+"\n") {
		t.Errorf("a link that leads out: %q, %q", title, detail)
	}
	p.refused("set_working_dir", map[string]any{"path": p.dir + "/away"}, "not allowed", outside+" is outside of")
	for _, path := range []string{p.dir, p.dir + "/real", p.dir + "/link", "relative", outside + "/none"} {
		if title, _ := ask(path); title != "" {
			t.Errorf("asks about %s, which is here, or will fail anyway: %q", path, title)
		}
	}
}

func TestGetWorkingDir(t *testing.T) {
	p := newPlace(t, nil)
	if got := p.must("get_working_dir", nil); got != p.dir {
		t.Errorf("got %q", got)
	}
	p.env.Dir = ""
	if got := p.must("get_working_dir", nil); !strings.Contains(got, "No working directory is set") {
		t.Errorf("got %q", got)
	}
	p.refused("tree", nil, "set_working_dir")
	p.refused("code_grep", map[string]any{"pattern": "x"}, "set_working_dir")
}
