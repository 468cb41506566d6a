package packages

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// command is a command line to which the names of packages can be appended.
type command struct {
	name string
	args []string
	same bool // the manager has no separate list of development packages
	// the command that creates the project's Python environment; nil if nothing must be created
	first *command
	// true if the manager installs packages for the whole system and therefore outside the sandbox
	system bool
}

func (c command) line(name ...string) string {
	return strings.Join(append(append([]string{c.name}, c.args...), name...), " ")
}

// choose derives the package manager from the files in the working directory. It chooses uv only if
// uv is installed.
func choose(env tools.Env) (string, error) {
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(env.Dir, name))
		return err == nil
	}
	node := has("package.json")
	python := has("pyproject.toml") || has("uv.lock") || has("requirements.txt") || has("setup.py")
	switch {
	case node && python:
		return "", tools.Advise(errors.New("the project has files of npm and of Python"), "Set \"manager\" to npm, uv or pip.")
	case node:
		return "npm", nil
	case python && has("pyproject.toml") && found(env, "uv"):
		return "uv", nil
	case python:
		return "pip", nil
	}
	return "", tools.Advise(errors.New("Marvin cannot tell which package manager the project uses"),
		"Set \"manager\" to npm, uv, pip or apt. For others (go get, cargo add) use run_command.")
}

func found(env tools.Env, program string) bool {
	_, err := proc.FindAnywhere(program, env.Environ)
	return err == nil
}

// commandOf returns the command with which the manager installs packages.
func commandOf(env tools.Env, manager string, dev bool) (command, error) {
	switch manager {
	case "uv":
		if dev {
			return command{name: "uv", args: []string{"add", "--dev", "--"}}, nil
		}
		return command{name: "uv", args: []string{"add", "--"}}, nil
	case "npm":
		args := []string{"install", "--no-audit", "--no-fund", "--"}
		if dev {
			args = []string{"install", "--save-dev", "--no-audit", "--no-fund", "--"}
		}
		return command{name: "npm", args: args}, nil
	case "pip":
		return pip(env), nil
	case "apt":
		if os.Geteuid() == 0 {
			return command{name: "apt-get", args: []string{"install", "-y", "--"}, same: true, system: true}, nil
		}
		return command{name: "sudo", args: []string{"-n", "apt-get", "install", "-y", "--"}, same: true, system: true}, nil // with -n, sudo fails instead of asking for a password
	}
	return command{}, fmt.Errorf("%q is not a package manager", manager)
}

// pip returns the command that installs packages in the project's environment. The result includes
// the command that creates a missing environment. pip never uses the system's Python, which usually
// refuses to install packages (PEP 668).
func pip(env tools.Env) command {
	with := command{args: []string{"-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--"}, same: true}
	for _, own := range []string{".venv/bin/python", "venv/bin/python", ".venv/Scripts/python.exe"} {
		if path := filepath.Join(env.Dir, own); fileAt(path) {
			with.name = path
			return with
		}
	}
	with.name = filepath.Join(env.Dir, environmentPython())
	with.first = &command{name: "python3", args: []string{"-m", "venv", ".venv"}}
	return with
}

func environmentPython() string {
	if runtime.GOOS == "windows" {
		return `.venv\Scripts\python.exe`
	}
	return ".venv/bin/python"
}

func fileAt(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// check validates a package name. Versions, extras, scopes and repository addresses are valid:
// "requests[socks]>=2.31", "@types/node@^22", "git+https://…".
func check(name string) error {
	allowed := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@/._+-:~^=<>!,[]*#%", r)
	}
	if name == "" || len(name) > 300 || strings.HasPrefix(name, "-") || strings.ContainsFunc(name, func(r rune) bool { return !allowed(r) }) {
		return tools.Advise(fmt.Errorf("%q is not a package", tools.Visible(name)), "Give names, with versions if need be: requests, lodash@4.17, numpy>=2. Options cannot be given.")
	}
	return nil
}
