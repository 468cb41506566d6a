package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

// project is a working directory and a conversation about it.
type project struct {
	t   *testing.T
	dir string
	env tools.Env
}

func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	dir := t.TempDir()
	p := &project{t: t, dir: dir, env: tools.Env{Dir: dir, Coding: true, Room: 100_000, Seen: &tools.Stamps{}, Progress: func(string) {}}}
	for name, content := range files {
		p.put(name, content)
	}
	return p
}

func (p *project) put(name, content string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) get(name string) string {
	p.t.Helper()
	content, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(content)
}

// run does what a worker does with the arguments that a model wrote.
func (p *project) run(tool, raw string) (tools.Output, error) {
	p.t.Helper()
	var registry toolbox.Registry
	registry.Add(Tools()...)
	found, ok := registry.Lookup(tool)
	if !ok {
		p.t.Fatalf("no tool %s", tool)
	}
	call, err := found.Decode(json.RawMessage(raw))
	if err != nil {
		return tools.Output{}, err
	}
	return call.Run(context.Background(), p.env)
}

// ok runs a call that must work, given as name and value in turn.
func (p *project) ok(tool string, args ...any) string {
	p.t.Helper()
	out, err := p.run(tool, object(args...))
	if err != nil {
		p.t.Fatalf("%s %v: %v", tool, args, err)
	}
	return out.Text
}

// fails runs a call that must fail, with an error that says all of says.
func (p *project) fails(says []string, tool string, args ...any) {
	p.t.Helper()
	p.failsRaw(says, tool, object(args...))
}

func (p *project) failsRaw(says []string, tool, raw string) {
	p.t.Helper()
	out, err := p.run(tool, raw)
	if err == nil {
		p.t.Errorf("%s %s worked: %s", tool, raw, out.Text)
		return
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			p.t.Errorf("%s %.200s: the error does not say %q:\n%v", tool, raw, part, err)
		}
	}
}

func object(args ...any) string {
	values := map[string]any{}
	for i := 0; i < len(args); i += 2 {
		values[fmt.Sprint(args[i])] = args[i+1]
	}
	raw, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// unchanged fails if a file is not as it was, or another one is there.
func (p *project) unchanged(files map[string]string) {
	p.t.Helper()
	for name, content := range files {
		if got := p.get(name); got != content {
			p.t.Errorf("%s is %q now", name, got)
		}
	}
	count := 0
	err := filepath.WalkDir(p.dir, func(_ string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			count++
		}
		return err
	})
	if err != nil || count != len(files) {
		p.t.Errorf("%d files, want %d; %v", count, len(files), err)
	}
}

func TestToolsAreDescribed(t *testing.T) {
	for _, tool := range Tools() {
		if _, err := tool.Schema(); err != nil {
			t.Error(err)
		}
		if !tool.Core || !tool.Coding || len(tool.Examples) < 2 {
			t.Errorf("%s: core %v, coding %v, %d examples", tool.Name, tool.Core, tool.Coding, len(tool.Examples))
		}
		if want := tool.Name != "read_file"; tool.Writes != want || (tool.Access == tools.Exclusive) != want {
			t.Errorf("%s: writes %v, access %v", tool.Name, tool.Writes, tool.Access)
		}
	}
}

func TestWithoutWorkingDirectory(t *testing.T) {
	p := newProject(t, nil)
	p.env.Dir = ""
	p.fails([]string{"set_working_dir"}, "read_file", "path", "a")
	p.fails([]string{"set_working_dir"}, "create_file", "path", "a", "content", "")
	p.fails([]string{"set_working_dir"}, "append_file", "path", "a", "content", "x")
	p.fails([]string{"set_working_dir"}, "apply_patch", "path", "a", "old_str", "x")
}

// Two encodings in one file are text in neither.
func TestMixedEncodingsAreRefused(t *testing.T) {
	p := newProject(t, map[string]string{"latin.txt": "gr\xfcn\n"})
	p.fails([]string{"latin.txt", "two encodings"}, "append_file", "path", "latin.txt", "content", "blau ü")
	p.ok("append_file", "path", "latin.txt", "content", "blau\n")
	if got := p.get("latin.txt"); got != "gr\xfcn\nblau\n" {
		t.Errorf("%q", got)
	}
}

func TestNoToolWritesWhatGitIncludes(t *testing.T) {
	p := newProject(t, map[string]string{".gitconfig": "[core]\n"})
	for _, args := range [][]string{{"init", "-q"}, {"config", "include.path", "../.gitconfig"}} {
		git := exec.Command("git", args...)
		git.Dir, git.Env = p.env.Dir, append(os.Environ(), "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1")
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	p.ok("read_file", "path", ".gitconfig")
	p.fails([]string{"protected"}, "append_file", "path", ".gitconfig", "content", "fsmonitor = touch marker\n")
	p.fails([]string{"protected"}, "apply_patch", "path", ".gitconfig", "old_str", "[core]", "new_str", "[user]")
	if got := p.get(".gitconfig"); got != "[core]\n" {
		t.Errorf("%q", got)
	}
}

func TestEveryToolRefusesForeignPaths(t *testing.T) {
	files := map[string]string{"a.txt": "a\n", ".tickets/t.md": "ticket\n", ".git/config": "[core]\n"}
	p := newProject(t, files)
	for _, path := range []string{"../x", "/etc/passwd", p.dir + "-evil/x", "./.tickets/t.md", ".TICKETS/t.md"} {
		p.fails(nil, "read_file", "path", path)
		p.fails(nil, "create_file", "path", path, "content", "x")
		p.fails(nil, "append_file", "path", path, "content", "x")
		p.fails(nil, "apply_patch", "path", path, "old_str", "t", "new_str", "u")
		p.fails(nil, "apply_patch", "patch", "*** Begin Patch\n*** Delete File: "+path+"\n*** End Patch")
		p.fails(nil, "apply_patch", "patch", "*** Begin Patch\n*** Update File: a.txt\n*** Move to: "+path+"\n*** End Patch")
	}
	for _, path := range []string{".git/config", ".git/hooks/post-commit", "./.GIT/config"} {
		p.fails([]string{"protected"}, "create_file", "path", path, "content", "x")
		p.fails([]string{"protected"}, "append_file", "path", path, "content", "x")
		p.fails([]string{"protected"}, "apply_patch", "path", path, "old_str", "core", "new_str", "evil")
	}
	p.unchanged(files)
}
