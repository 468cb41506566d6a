package packages

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence/disktest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// project returns an environment with the given files, and package managers that record their
// arguments. A package whose name contains "bad" cannot be installed.
func project(t *testing.T, files ...string) (tools.Env, func() string) {
	t.Helper()
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	for _, name := range []string{"uv", "npm", "python3", "sudo", "apt-get"} {
		script := "#!/bin/sh\necho \"" + name + " $*\" >>" + log + "\ncase \"$*\" in '-m venv .venv') /bin/mkdir -p .venv/bin; /bin/cp \"$0\" .venv/bin/python;; *bad*) echo 'npm ERR! 404 Not Found' >&2; exit 1;; *slow*) exec /bin/sleep 100;; esac\necho ok\n"
		if err := disktest.WriteProgram(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := toolstest.Env(t, "PATH="+bin, "HOME="+t.TempDir())
	env.Dir = t.TempDir()
	for _, name := range files {
		path := filepath.Join(env.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("{}"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return env, func() string {
		content, _ := os.ReadFile(log)
		return string(content)
	}
}

func TestManagerIsChosenByTheProject(t *testing.T) {
	system := "sudo -n apt-get install -y -- jq\n"
	if os.Geteuid() == 0 {
		system = "apt-get install -y -- jq\n"
	}
	for _, test := range []struct {
		files      []string
		args, want string
	}{
		{[]string{"package.json"}, `{"packages":["lodash@^4","@types/node"]}`, "npm install --no-audit --no-fund -- lodash@^4\nnpm install --no-audit --no-fund -- @types/node\n"},
		{[]string{"package.json"}, `{"package":"jest","dev":true}`, "npm install --save-dev --no-audit --no-fund -- jest\n"},
		{[]string{"pyproject.toml"}, `{"packages":["requests[socks]>=2.31"],"dev":true}`, "uv add --dev -- requests[socks]>=2.31\n"},
		{[]string{"pyproject.toml"}, `{"packages":"httpx rich"}`, "uv add -- httpx\nuv add -- rich\n"},
		{[]string{"requirements.txt"}, `{"packages":["httpx"]}`, "python3 -m venv .venv\npython3 -m pip install --disable-pip-version-check --no-input -- httpx\n"},
		{nil, `{"packages":["httpx"],"manager":"PIP"}`, "python3 -m venv .venv\npython3 -m pip install --disable-pip-version-check --no-input -- httpx\n"},
		{nil, `{"packages":["jq"],"manager":"apt"}`, system},
	} {
		env, log := project(t, test.files...)
		env.Approved = test.want == system
		text, err := toolstest.Call(t, Tools(), env, "install_packages", test.args)
		if err != nil || log() != test.want || strings.Count(text, ": installed") != strings.Count(test.want, "install ")+strings.Count(test.want, "uv add") {
			t.Errorf("%s: %s, %v\nran %s", test.args, text, err, log())
		}
	}
	for want, files := range map[string][]string{"Set \"manager\" to npm, uv or pip.": {"package.json", "setup.py"}, "cannot tell which package manager": nil} {
		env, log := project(t, files...)
		_, err := toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["x"]}`)
		toolstest.CheckError(t, err, want)
		if log() != "" {
			t.Errorf("ran %s", log())
		}
	}
}

// The TypeScript Marvin passed names to a shell.
func TestANameIsNeverACommandOrAnOption(t *testing.T) {
	for _, name := range []string{"x; touch y", "$(touch y)", "x&&y", "`y`", "a|b", "--registry=http://evil", "-e", "x\ny;z", "'x'", "", "x\u202e", "a\x00b", strings.Repeat("x", 301)} {
		env, log := project(t, "package.json")
		args, err := json.Marshal(map[string]any{"packages": []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := toolstest.Call(t, Tools(), env, "install_packages", string(args)); err == nil || log() != "" {
			t.Errorf("%q: %s, ran %s", name, text, log())
		}
	}
}

func TestEachPackageHasItsResult(t *testing.T) {
	env, _ := project(t, "package.json")
	text, err := toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["a","bad-one","c"]}`)
	if err != nil || text != "a: installed\nbad-one: failed: exit code 1: npm ERR! 404 Not Found\nc: installed" {
		t.Errorf("%s, %v", text, err)
	}
	_, err = toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["bad"]}`)
	toolstest.CheckError(t, err, "no package was installed; 1 failed", "404 Not Found", "Check the names")
	text, err = toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["x"],"manager":"pip","dev":true}`)
	if err != nil || !strings.Contains(text, "cannot mark development dependencies") {
		t.Errorf("%s, %v", text, err)
	}
	env.Environ = []string{"PATH=/nowhere"}
	_, err = toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["x"]}`)
	toolstest.CheckError(t, err, "program not found on PATH: npm", "another manager")
	env.Dir = ""
	_, err = toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["x"]}`)
	toolstest.CheckError(t, err, "set_working_dir")
}

func TestInterruptedInstallationSaysWhatIsThere(t *testing.T) {
	env, _ := project(t, "package.json")
	byUser := errors.New("the user pressed Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	env.Progress = func(line string) {
		if strings.HasPrefix(line, "2 of 2") {
			time.AfterFunc(50*time.Millisecond, func() { cancel(byUser) })
		}
	}
	call, err := Tools()[0].Decode(json.RawMessage(`{"packages":["a","slow"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if call.Timeout != 155*time.Second {
		t.Errorf("%s for two packages", call.Timeout)
	}
	_, err = call.Run(ctx, env)
	toolstest.CheckError(t, err, "interrupted at slow", "a: installed")
	if !errors.Is(err, byUser) {
		t.Error(err)
	}
}

func TestUserSeesTheExactCommands(t *testing.T) {
	env, _ := project(t, "pyproject.toml", ".venv/bin/python")
	for args, want := range map[string]string{
		`{"packages":["a","b==1"]}`:               "uv add -- a\nuv add -- b==1\nin " + env.Dir,
		`{"packages":["a"],"manager":"pip"}`:      env.Dir + "/.venv/bin/python -m pip install --disable-pip-version-check --no-input -- a\nin " + env.Dir,
		`{"packages":["a; rm -rf"],"dev":"true"}`: "",
	} {
		call, err := Tools()[0].Decode(json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		if title, detail := call.Confirm(env); detail != want || (title == "") != (want == "") {
			t.Errorf("%s: %q, %q", args, title, detail)
		}
	}
}

// The real Python creates the missing environment of a project, and installs into it.
func TestPipHasAnEnvironmentOfTheProject(t *testing.T) {
	if testing.Short() {
		t.Skip("Python needs 7 s of processor time to make an environment")
	}
	if out, err := exec.Command("python3", "-c", "import ensurepip, venv").CombinedOutput(); err != nil {
		t.Skipf("python3 makes no environments: %v %s", err, out)
	}
	env, _ := project(t)
	// Without an environment, pip must not install into the Python of the machine.
	env.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PIP_NO_INDEX=1", "PIP_REQUIRE_VIRTUALENV=1"}
	wheel(t, env.Dir)
	call, err := Tools()[0].Decode(json.RawMessage(`{"packages":["./a_dep-1.2.3-py3-none-any.whl"],"manager":"pip"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, detail := call.Confirm(env); !strings.HasPrefix(detail, "python3 -m venv .venv\n"+env.Dir+"/.venv/bin/python -m pip install") {
		t.Errorf("a person sees %q", detail)
	}
	output, err := call.Run(t.Context(), env)
	made, _ := filepath.Glob(filepath.Join(env.Dir, ".venv/lib/python*/site-packages/a_dep.py"))
	if err != nil || len(made) != 1 || !strings.Contains(output.Text, "installed\nThe packages are in the new directory .venv") {
		t.Errorf("%q, %v, %v", output.Text, err, made)
	}
}

func TestWithoutAnEnvironmentNothingIsInstalled(t *testing.T) {
	env, log := project(t)
	bin := t.TempDir()
	if err := disktest.WriteProgram(filepath.Join(bin, "python3"), []byte("#!/bin/sh\necho 'ensurepip is not available' >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env.Environ = []string{"PATH=" + bin}
	_, err := toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["httpx"],"manager":"pip"}`)
	toolstest.CheckError(t, err, "ensurepip is not available", "python3-venv", "Nothing was installed")
	if log() != "" {
		t.Errorf("ran %s", log())
	}
}

// The test uses the real npm and a package in a directory, so it downloads nothing.
func TestRealNPM(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	env, _ := project(t, "package.json", "dep/package.json")
	env.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "npm_config_offline=true"}
	if err := os.WriteFile(filepath.Join(env.Dir, "dep/package.json"), []byte(`{"name":"a-dep","version":"1.2.3"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := toolstest.Call(t, Tools(), env, "install_packages", `{"packages":["./dep"],"dev":true}`)
	if err != nil || text != "./dep: installed" {
		t.Fatalf("%s, %v", text, err)
	}
	if manifest, err := os.ReadFile(filepath.Join(env.Dir, "package.json")); err != nil || !strings.Contains(string(manifest), `"devDependencies"`) || !strings.Contains(string(manifest), "a-dep") {
		t.Errorf("%s, %v", manifest, err)
	}
}
