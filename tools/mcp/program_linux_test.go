package mcp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/disktest"
	"marvin/persistence/settings"
	"marvin/tools"
)

// withProject returns a ground whose project has a directory on PATH with these programs, while
// commands are confined.
func withProject(t *testing.T, programs ...string) (on Ground, marker string) {
	t.Helper()
	home := t.TempDir()
	on = ground(t)
	on.Dir, on.Own, marker = filepath.Join(home, "project"), filepath.Join(home, "own"), filepath.Join(home, "marker")
	bin := filepath.Join(on.Dir, ".venv", "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range programs {
		if err := disktest.WriteProgram(filepath.Join(bin, name), []byte("#!/bin/sh\ntouch "+marker+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	on.Environ = append(os.Environ(), "PATH="+bin+":/usr/bin:/bin", "HOME="+home)
	on.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxAuto, Home: home, Environ: on.Environ})
	t.Cleanup(func() { _ = on.Sandbox.Close() })
	return on, marker
}

// With "sandbox: off" a server runs with all rights, so its program must be the user's own. A
// program that the project can write is refused, whether it is found by PATH, a link, a script or
// the working directory.
func TestAServerWithoutASandboxIsNoProgramOfTheProject(t *testing.T) {
	on, marker := withProject(t, "office-server", "env")
	scripts := map[string]string{
		filepath.Join(on.Dir, "tool.py"): "open(" + `"` + marker + `"` + ", 'w')\n", filepath.Join(on.Dir, "office.py"): "open(" + `"` + marker + `"` + ", 'w')\n",
		filepath.Join(filepath.Dir(on.Dir), "mine"): "#!/usr/bin/env office-server\n",
	}
	for path, text := range scripts {
		if err := disktest.WriteProgram(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(on.Dir, ".venv/bin/office-server"), filepath.Join(filepath.Dir(on.Dir), "link")); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"office-server"},
		{filepath.Join(on.Dir, ".venv/bin/office-server")},
		{filepath.Join(filepath.Dir(on.Dir), "link")},
		{"env", "office-server"},
		{filepath.Join(filepath.Dir(on.Dir), "mine")},
		{"sh", filepath.Join(on.Dir, ".venv/bin/office-server")},
		{"python3", "-m", "office"},
		{"python3", filepath.Join(on.Dir, "tool.py")},
		{"sh", "-c", "./.venv/bin/office-server"},
	} {
		session, err := Connect(t.Context(), "office", settings.Server{Command: command, Free: true}, on)
		if err == nil {
			session.Close()
			t.Errorf("%q began", command)
		}
		if _, ran := os.Stat(marker); ran == nil {
			t.Fatalf("%q ran what the project brings: %v", command, err)
		}
	}
	// Control: a shell of the user runs the program.
	shell := exec.Command("sh", "-c", "office-server")
	shell.Env, shell.Dir = on.Environ, on.Dir
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := os.Stat(marker); err != nil {
		t.Error("the program does nothing, so the test shows nothing")
	}
}

// The error names the reason. The user's own program starts, and a file that is not a program may
// be anywhere.
func TestAServerWithoutASandboxThatIsTheUsers(t *testing.T) {
	on, _ := withProject(t, "office-server")
	_, err := Connect(t.Context(), "office", settings.Server{Command: []string{"office-server"}, Free: true}, on)
	if err == nil || !strings.Contains(err.Error(), "where this project can write") {
		t.Errorf("%v", err)
	}
	data := filepath.Join(on.Dir, "data.db")
	if err := os.WriteFile(data, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := played("where")
	server.Command = append(server.Command, data)
	session := begun(t, server, on)
	if text, err := say(t, session, tools.Env{}, "where"); err != nil || text != "said: "+on.Own {
		t.Errorf("%q, %v", text, err)
	}
}
