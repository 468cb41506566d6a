package github

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// machine returns an environment whose PATH contains only the named real programs, and gh if there
// is a script for it.
func machine(t *testing.T, gh string, programs ...string) tools.Env {
	t.Helper()
	bin := t.TempDir()
	for _, name := range programs {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("%s is not installed", name)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if gh != "" {
		write(t, filepath.Join(bin, "gh"), "#!/bin/bash\n"+gh)
	}
	env := toolstest.Env(t, "PATH="+bin)
	env.Environ = append(env.Environ, "HOME="+env.Home)
	return env
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := disktest.WriteProgram(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func call(t *testing.T, env tools.Env, name, args string) (string, error) {
	t.Helper()
	return toolstest.Call(t, New(toolstest.Client(t, nil), "").Tools(), env, name, args)
}

func TestNamesOfRepositories(t *testing.T) {
	for text, want := range map[string]string{
		"golang/go": "golang/go", " golang/go.git ": "golang/go", "https://github.com/golang/go/tree/master/src?x#L1": "golang/go",
		"http://www.github.com/a/b.c_d-e/": "a/b.c_d-e", "git@github.com:a/b.git": "a/b", "ssh://git@github.com/a/b": "a/b", "github.com/a/b": "a/b",
	} {
		if got, err := parse(text, ""); err != nil || got.String() != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if got, err := parse("go", "golang"); err != nil || got.String() != "golang/go" {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"golang/go", "github.com/golang/go"} { // the owner in the address takes precedence
		if got, err := parse(text, "other"); err != nil || got.String() != "golang/go" {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "go", "../x", "x/..", "./x", "a/b/c", "https://gitlab.com/a/b", "https://evil.example/github.com/a/b", "-x/y", "a b/c", "a/b;c", "a/b\x00", "a//b", "a/.git",
		"a/" + strings.Repeat("x", 101), "file:///etc/passwd", "a/b\nc",
	} {
		_, err := parse(text, "")
		toolstest.CheckError(t, err, "is not a repository on GitHub", "owner/name")
	}
}
