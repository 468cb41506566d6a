package packages

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// held makes the calls of an environment run in the sandbox, without a user.
func held(t *testing.T, env *tools.Env, mode tools.SandboxMode) {
	t.Helper()
	env.Root = env.Dir
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: mode, Home: env.Home, State: env.State, Environ: env.Environ})
	t.Cleanup(func() {
		if err := env.Sandbox.Close(); err != nil {
			t.Error(err)
		}
	})
}

func call(t *testing.T, env tools.Env, args string) (string, error) {
	t.Helper()
	text, err := toolstest.Call(t, Tools(), env, "install_packages", args)
	if errors.Is(err, tools.ErrUnconfined) && strings.Contains(err.Error(), "not complete") {
		t.Skip(err)
	}
	return text, err
}

// An install script can write in the project, and nowhere else.
func TestInstallingIsHeldByTheSandbox(t *testing.T) {
	env, _ := project(t, "package.json")
	env.Home = filepath.Dir(env.Dir)
	bin, outside := t.TempDir(), filepath.Join(filepath.Dir(env.Dir), "outside")
	script := "#!/bin/sh\necho hurt >'" + outside + "' || touch kept-out\nmkdir -p node_modules/dep .git/hooks; echo evil >.git/hooks/pre-commit || touch no-hook\ncase $* in *bad*) echo 'EACCES: permission denied' >&2; exit 1;; esac\n"
	if err := disktest.WriteProgram(filepath.Join(bin, "npm"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	env.Environ = []string{"PATH=" + bin + ":/usr/bin:/bin", "HOME=" + env.Home}
	if text, err := call(t, env, `{"packages":["dep"]}`); err != nil || !there(outside) || !there(filepath.Join(env.Dir, ".git/hooks/pre-commit")) {
		t.Fatalf("without a sandbox it does no harm, so the test shows nothing: %s, %v", text, err)
	}
	if err := errors.Join(os.Remove(outside), os.RemoveAll(filepath.Join(env.Dir, ".git"))); err != nil {
		t.Fatal(err)
	}
	held(t, &env, tools.SandboxAuto)
	text, err := call(t, env, `{"packages":["dep","bad"]}`)
	if err != nil || !strings.HasPrefix(text, "dep: installed\nbad: failed: ") || !strings.Contains(text, "[sandbox: ") {
		t.Errorf("%s, %v", text, err)
	}
	for name, want := range map[string]bool{"node_modules/dep": true, "kept-out": true, "no-hook": true, ".git/hooks/pre-commit": false, "../outside": false} {
		if there(filepath.Join(env.Dir, name)) != want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
	env.Approved = true
	if text, err := call(t, env, `{"packages":["dep"]}`); err != nil || !there(outside) {
		t.Errorf("what a person looked at is held: %s, %v", text, err)
	}
}

func TestSystemsPackagesNeedUserEachTime(t *testing.T) {
	for _, test := range []struct {
		mode     tools.SandboxMode
		approved bool
		runs     bool
	}{{tools.SandboxAuto, false, false}, {tools.SandboxOff, false, false}, {tools.SandboxWorkspace, true, false}, {tools.SandboxAuto, true, true}, {tools.SandboxOff, true, true}} {
		env, log := project(t)
		held(t, &env, test.mode)
		env.Approved = test.approved
		text, err := toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["jq"],"manager":"apt"}`)
		if test.runs && (err != nil || text != "jq: installed" || log() == "") {
			t.Errorf("%q approved %v: %s, %v", test.mode, test.approved, text, err)
		}
		if !test.runs && (!errors.Is(err, tools.ErrUnconfined) || !strings.Contains(err.Error(), "outside the sandbox") || log() != "") {
			t.Errorf("%q approved %v: %s, %v, ran %s", test.mode, test.approved, text, err, log())
		}
	}
}

// The real package managers work in the sandbox without a network.
func TestRealManagersWorkInTheSandbox(t *testing.T) {
	for _, test := range []struct {
		manager, name, made string
		prepare             func(t *testing.T, dir string)
	}{
		{"npm", "./dep", "node_modules/a-dep/package.json", npmProject},
		{"pip", "./a_dep-1.2.3-py3-none-any.whl", ".venv/lib/python*/site-packages/a_dep.py", pipProject},
	} {
		t.Run(test.manager, func(t *testing.T) {
			env, _ := project(t)
			test.prepare(t, env.Dir)
			env.Home = t.TempDir()
			env.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + env.Home, "npm_config_offline=true", "PIP_NO_INDEX=1"}
			held(t, &env, tools.SandboxAuto)
			text, err := call(t, env, `{"packages":["`+test.name+`"],"manager":"`+test.manager+`"}`)
			made, _ := filepath.Glob(filepath.Join(env.Dir, test.made))
			if err != nil || text != test.name+": installed" || len(made) != 1 {
				t.Errorf("%s, %v, made %q", text, err, made)
			}
		})
	}
}

func npmProject(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip(err)
	}
	write(t, filepath.Join(dir, "package.json"), "{}")
	write(t, filepath.Join(dir, "dep", "package.json"), `{"name":"a-dep","version":"1.2.3"}`)
}

// pipProject makes a project with its own Python, which has the system's pip, and with a wheel.
func pipProject(t *testing.T, dir string) {
	t.Helper()
	if out, err := exec.Command("python3", "-m", "venv", "--without-pip", "--system-site-packages", filepath.Join(dir, ".venv")).CombinedOutput(); err != nil {
		t.Skipf("python3 has no venv: %v, %s", err, out)
	}
	if out, err := exec.Command(filepath.Join(dir, ".venv/bin/python"), "-m", "pip", "--version").CombinedOutput(); err != nil {
		t.Skipf("python3 has no pip: %s", out)
	}
	wheel(t, dir)
}

// wheel writes a Python package into a directory.
func wheel(t *testing.T, dir string) {
	t.Helper()
	var content bytes.Buffer
	archive := zip.NewWriter(&content)
	for _, file := range [][2]string{
		{"a_dep.py", ""},
		{"a_dep-1.2.3.dist-info/METADATA", "Metadata-Version: 2.1\nName: a-dep\nVersion: 1.2.3\n"},
		{"a_dep-1.2.3.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{"a_dep-1.2.3.dist-info/RECORD", "a_dep.py,,\na_dep-1.2.3.dist-info/METADATA,,\na_dep-1.2.3.dist-info/WHEEL,,\na_dep-1.2.3.dist-info/RECORD,,\n"},
	} {
		part, err := archive.Create(file[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(file[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a_dep-1.2.3-py3-none-any.whl"), content.String())
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func there(path string) bool { _, err := os.Lstat(path); return err == nil }
