package proc

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/disktest"
)

func TestSecretsDoNotReachChildren(t *testing.T) {
	secrets := []string{
		"OPENAI_API_KEY=canary", "GROQ_KEY=canary", "GITHUB_TOKEN=canary", "NPM_TOKEN=canary", "gh_token=canary",
		"AWS_ACCESS_KEY_ID=canary", "AWS_SECRET_ACCESS_KEY=canary", "AWS_SESSION_TOKEN=canary",
		"GOOGLE_APPLICATION_CREDENTIALS=canary", "AZURE_CLIENT_SECRET=canary", "DB_PASSWORD=canary", "PGPASSWORD=canary",
		"MYSQL_PWD=canary", "SSHPASS=canary", "SMTP_PASS=canary", "SSH_AUTH_SOCK=canary", "SENTRY_DSN=canary",
		"SOMETHING=ghp_canary", "OTHER=sk-canary", "DATABASE_URL=postgres://me:canary@db/x", "PASSWORDSTORE=canary",
		"MARVIN_ANYTHING=canary", "SSH_ASKPASS=canary", "VIRTUAL_ENV=canary", "CONDA_PREFIX=canary",
		"GIT_DIR=canary", "GIT_WORK_TREE=canary", "GIT_INDEX_FILE=canary", "GIT_OBJECT_DIRECTORY=canary",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=canary", "GIT_COMMON_DIR=canary", "GIT_NAMESPACE=canary", "GIT_PREFIX=canary",
		"GIT_EXTERNAL_DIFF=canary", "GIT_CONFIG_PARAMETERS=canary", "GIT_CONFIG_COUNT=canary", "GIT_EXEC_PATH=canary",
		"GIT_EDITOR=canary", "PAGER=canary", "EDITOR=canary",
	}
	result, err := Run(t.Context(), Command{Name: "env", Dir: "/", Environ: append(os.Environ(), secrets...)})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(result.Stdout.Text()) {
		if strings.Contains(line, "canary") {
			t.Errorf("the child was given %s", line)
		}
	}
}

// A Marvin that a command starts has the same restrictions, and starts no others.
func TestChildGetsItsPermissions(t *testing.T) {
	for _, marvin := range []bool{false, true} {
		_, given := childEnviron(Command{Dir: "/", Marvin: marvin, Environ: []string{"MARVIN_READONLY=yes", "MARVIN_DEPTH=1"}})
		for _, want := range []string{"MARVIN_READONLY=1", "MARVIN_DEPTH=2"} {
			name, _, _ := strings.Cut(want, "=")
			if !slices.Contains(given, want) || slices.ContainsFunc(given, func(entry string) bool { return strings.HasPrefix(entry, name+"=") && entry != want }) {
				t.Errorf("it gets %q, not only %s", given, want)
			}
		}
	}
}

func TestChildrenKeepWhatTheyNeed(t *testing.T) {
	dir := t.TempDir()
	needed := []string{
		"GOPATH=/go", "HOME=/home/me", "LANG=de_DE.UTF-8", "GIT_AUTHOR_NAME=Me", "GIT_CONFIG_GLOBAL=/dev/null",
		"HTTPS_PROXY=http://me:pw@proxy:3128", "XDG_RUNTIME_DIR=/run/user/1", "KEYBOARD=de", "URL=https://example.org/a:b@c",
	}
	result, err := Run(t.Context(), Command{
		Name: "env", Dir: dir, Env: []string{"EXTRA_TOKEN=given"},
		Environ: append(slices.Clone(needed), "PATH=/usr/bin:/bin", "PWD=/elsewhere", "MARVIN_PASS_ENV=KEYBOARD, URL*"),
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(result.Stdout.Text(), "\n")
	for _, want := range append(needed, "PATH=/usr/bin:/bin", "PWD="+dir, "PAGER=cat", "GIT_TERMINAL_PROMPT=0", "EXTRA_TOKEN=given") {
		if !slices.Contains(lines, want) {
			t.Errorf("the child lacks %s", want)
		}
	}
}

func TestWeirdEnvironments(t *testing.T) {
	for name, environ := range map[string][]string{
		"none":       nil,
		"not UTF-8":  {"X=\xff\xfe", "\xff=y", "LC_ALL=C"},
		"malformed":  {"NOEQUALS", "=empty", "", "NUL=a\x00b"},
		"empty PATH": {"PATH=", "HOME="},
		"no TERM":    {"PATH=/usr/bin:/bin"},
	} {
		result, err := Run(t.Context(), Command{Shell: `echo "$((1+1))"; ls / >/dev/null`, Dir: "/", Environ: environ})
		if err != nil || result.Stdout.Text() != "2\n" || result.ExitCode != 0 {
			t.Errorf("%s: %q, %q, %v", name, result.Stdout.Text(), result.Stderr.Text(), err)
		}
	}
	result, err := Run(t.Context(), Command{Shell: `printf %s "$X"`, Dir: "/", Environ: []string{"X=\xff", "MARVIN_PASS_ENV=X"}})
	if err != nil || string(result.Stdout.Bytes) != "\xff" {
		t.Errorf("a value that is not UTF-8 arrived as %q, %v", result.Stdout.Bytes, err)
	}
}

func TestANameInLatin1StaysAsItIs(t *testing.T) {
	result, err := Run(t.Context(), Command{Shell: `printf %s "$GIT_AUTHOR_NAME"`, Dir: "/", Environ: []string{"GIT_AUTHOR_NAME=J\xf6rg", "\xff*=\xff"}})
	if err != nil || string(result.Stdout.Bytes) != "J\xf6rg" {
		t.Errorf("it arrived as %q, %v", result.Stdout.Bytes, err)
	}
}

func TestFindPassesOverTheWorkingDirectory(t *testing.T) {
	planted := t.TempDir()
	if err := disktest.WriteProgram(filepath.Join(planted, "planted"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(planted)
	for _, path := range []string{"", ".", ":", "::.", filepath.Base(planted)} {
		if found, err := Find("planted", []string{"PATH=" + path + ":/usr/bin"}); err == nil {
			t.Errorf("PATH=%q found %s", path, found)
		}
	}
	found, err := Find("planted", []string{"PATH=/usr/bin:" + planted})
	if err != nil || found != filepath.Join(planted, "planted") {
		t.Errorf("found %q, %v", found, err)
	}
}

func TestNestedMarksAddUp(t *testing.T) {
	outer, environ := childEnviron(Command{Dir: "/"})
	inner, environ := childEnviron(Command{Dir: "/", Environ: environ})
	if got := Lookup(environ, markName); got != outer+","+inner {
		t.Errorf("mark is %q", got)
	}
}
