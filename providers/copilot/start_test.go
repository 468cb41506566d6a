package copilot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

// grep looks for a text in all files.
func grep(files fs.FS, text string) error {
	return fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if err == nil && strings.Contains(string(content), text) {
			err = fmt.Errorf("%s holds %q", path, text)
		}
		return err
	})
}

// program writes a shell script that replaces the CLI.
func program(t *testing.T, dir, script string) string {
	t.Helper()
	path := filepath.Join(dir, "copilot")
	if err := disktest.WriteProgram(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMissingCLISaysHowToInstallIt(t *testing.T) {
	empty := t.TempDir()
	for _, variables := range [][]string{
		{"PATH=" + empty},
		{"PATH=:." + empty},
		{},
		{"COPILOT_CLI_PATH=" + filepath.Join(empty, "nothing")},
		{"COPILOT_CLI_PATH=" + empty},
	} {
		model := model(t, copilot.NewCLI(copilot.CLIConfig{Environ: variables}))
		_, err := model.Respond(within(t), question(user("go")), discard)
		if !errors.Is(err, providers.ErrUnavailable) || !strings.Contains(err.Error(), "COPILOT_CLI_PATH") {
			t.Errorf("%v: %v", variables, err)
		}
		if len(variables) == 1 && variables[0] == "PATH="+empty && !strings.Contains(err.Error(), "npm install -g @github/copilot") {
			t.Errorf("%v does not say how to install it", err)
		}
	}
}

func TestNativeProgramIsPreferred(t *testing.T) {
	modules := filepath.Join(t.TempDir(), "node_modules")
	write := func(path string) string {
		path = filepath.Join(modules, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := disktest.WriteProgram(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	loader := write("@github/copilot/npm-loader.js")
	bin := t.TempDir()
	if err := os.Symlink(loader, filepath.Join(bin, "copilot")); err != nil {
		t.Fatal(err)
	}
	find := func() string {
		path, err := copilot.Find([]string{"PATH=relative:" + bin})
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	if got := find(); got != filepath.Join(bin, "copilot") {
		t.Errorf("without a native program, found %s", got)
	}
	inside := write("@github/copilot/node_modules/@github/" + nativeName())
	if got := find(); got != inside {
		t.Errorf("found %s, want %s", got, inside)
	}
	beside := write("@github/" + nativeName())
	if got := find(); got != beside {
		t.Errorf("found %s, want %s", got, beside)
	}
	if got, err := copilot.Find([]string{"PATH=" + bin, "COPILOT_CLI_PATH=" + loader}); err != nil || got != beside {
		t.Errorf("found %s, %v", got, err)
	}
}

func TestHangingCLIHitsTheStartDeadline(t *testing.T) {
	path := program(t, t.TempDir(), "sleep 1000 & trap '' TERM INT; while :; do sleep 1000; done")
	cli := copilot.NewCLI(copilot.CLIConfig{Environ: environ(t, "COPILOT_CLI_PATH="+path), StartLimit: 300 * time.Millisecond})
	model := model(t, cli)
	if _, err := model.Respond(within(t), question(user("go")), discard); err == nil || !strings.Contains(err.Error(), "was not ready in time (300ms)") {
		t.Error(err)
	}
	if left, err := lasting(within(t), t.Name()); err != nil || len(left) > 0 {
		t.Errorf("left running: %v, %v", left, err)
	}
}

func TestAnotherProgramCalledCopilot(t *testing.T) {
	for script, want := range map[string]string{
		"echo 'unknown flag: --headless' >&2; exit 1":         "unknown flag: --headless",
		"echo 'Welcome to copilot!'; sleep 1000":              "does not speak the Copilot CLI's protocol",
		"printf 'Content-Length: -5\\r\\n\\r\\n'; sleep 1000": "does not speak the Copilot CLI's protocol",
		"exit 0": "it exited",
	} {
		path := program(t, t.TempDir(), script)
		model := model(t, start(t, environ(t, "COPILOT_CLI_PATH="+path)))
		if _, err := model.Respond(within(t), question(user("go")), discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

func TestNotLoggedIn(t *testing.T) {
	model := model(t, start(t, environ(t, "COPILOT_CLI_PATH="+copilottest.Path(t), "HTTPS_PROXY=http://127.0.0.1:9"))) // no network
	_, err := model.Respond(within(t), question(user("go")), discard)
	if !errors.Is(err, providers.ErrNoKey) {
		t.Fatalf("error is %v", err)
	}
	for _, part := range []string{"/login", "COPILOT_GITHUB_TOKEN", "GH_TOKEN", "COPILOT_PROVIDER_BASE_URL"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %s", err, part)
		}
	}
}

// A CLI that cannot unpack itself uses a whole core for ever, and its child outlives it.
func TestHomeThatCannotBeWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("the CLI unpacks 237 MB")
	}
	t.Setenv("TMPDIR", t.TempDir())
	server := behind(t, modeltest.Text("hello"))
	cli := start(t, append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=/proc", "TMPDIR=" + os.TempDir(), mark + t.Name(), "COPILOT_CLI_PATH=" + copilottest.Path(t), "COPILOT_OFFLINE=true",
	}, copilottest.Asking(server.URL)...))
	if reply := ask(t, model(t, cli), question(user("go"))); reply.Text != "hello" {
		t.Errorf("reply is %+v", reply)
	}
	cli.Stop(within(t))
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "marvin-*")); err != nil || len(left) > 0 {
		t.Errorf("left on disk: %v, %v", left, err)
	}
}

func TestStopDuringAStart(t *testing.T) {
	path := program(t, t.TempDir(), "exec sleep 1000")
	cli := start(t, environ(t, "COPILOT_CLI_PATH="+path))
	model := model(t, cli)
	failed := make(chan error)
	go func() {
		_, err := model.Respond(within(t), question(user("go")), discard)
		failed <- err
	}()
	for len(running(t)) == 0 {
		time.Sleep(time.Millisecond)
	}
	cli.Stop(within(t))
	if err := <-failed; err == nil {
		t.Error("no error")
	}
	if _, err := model.Respond(within(t), question(user("go")), discard); err == nil || !strings.Contains(err.Error(), "Marvin is exiting") {
		t.Errorf("error is %v", err)
	}
}

func TestUsableLooksAtFilesAndVariablesOnly(t *testing.T) {
	bin, empty := t.TempDir(), t.TempDir()
	program(t, bin, "exit 1")
	noted := func(content string) string {
		home := t.TempDir()
		if err := os.MkdirAll(filepath.Join(home, ".copilot"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, ".copilot", "config.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return "HOME=" + home
	}
	path := "PATH=" + bin
	for _, test := range []struct {
		name    string
		environ []string
		want    bool
	}{
		{"not installed", []string{"PATH=" + empty, "GH_TOKEN=gho_x"}, false},
		{"only installed", []string{path, "HOME=" + empty}, false},
		{"no home", []string{path}, false},
		{"key of one's own", []string{path, "COPILOT_PROVIDER_BASE_URL=http://localhost:1"}, true},
		{"token", []string{path, "GH_TOKEN=gho_x"}, true},
		{"token that the CLI refuses", []string{path, "GITHUB_TOKEN=ghp_x"}, false},
		{"logged in", []string{path, noted("// managed\n{\"lastLoggedInUser\": {\"host\":\"https://github.com\",\"login\":\"me\"}}")}, true},
		{"logged in long ago", []string{path, noted(`{"last_logged_in_user": {"login":"me"}}`)}, true},
		{"started once", []string{path, noted("// managed\n{\n  \"firstLaunchAt\": \"2026-11-20T12:07:45.781Z\"\n}")}, false},
		{"logged out", []string{path, noted(`{"lastLoggedInUser": null}`)}, false},
		{"damaged", []string{path, noted(`{"lastLoggedIn`)}, false},
	} {
		usable, why := copilot.Usable(test.environ)
		if usable != test.want || why == "" {
			t.Errorf("%s: %v, %s", test.name, usable, why)
		}
	}
}

func TestUsersServersAndHooksAreNotStarted(t *testing.T) {
	server := behind(t, modeltest.Text("hello"))
	world := ownKey(t, server)
	home := strings.TrimPrefix(world[1], "HOME=")
	touched := filepath.Join(home, "touched")
	for name, content := range map[string]string{
		"mcp-config.json":         `{"mcpServers":{"mine":{"type":"local","command":"touch","args":["` + touched + `"],"tools":["*"]}}}`,
		"hooks/mine.json":         `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"touch ` + touched + `"}]}}`,
		"copilot-instructions.md": "Speak like a pirate.",
	} {
		path := filepath.Join(home, ".copilot", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cli := start(t, world)
	ask(t, model(t, cli), question(user("go")))
	cli.Stop(within(t))
	if _, err := os.Stat(touched); err == nil {
		t.Error("something of the user's Copilot was started")
	}
	if text := server.Requests()[0].Messages[0].Text; text != "You are Marvin." {
		t.Errorf("the system text is %q", text)
	}
}

// The start of the CLI is announced with its longest duration, and its end is announced too.
func TestTheStartIsNoSilenceOfTheModel(t *testing.T) {
	server := behind(t, modeltest.Text("hello"), modeltest.Text("again"))
	model := model(t, startWithin(t, ownKey(t, server), 0))
	var waits []time.Duration
	emit := func(part providers.Part) {
		if part.Kind == providers.NoticePart {
			if part.Text != "" {
				t.Errorf("people are told %q", part.Text)
			}
			waits = append(waits, part.Wait)
		}
	}
	if _, err := model.Respond(within(t), question(user("go")), emit); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Respond(within(t), question(user("go"), assistant("hello"), user("on")), emit); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(waits, []time.Duration{20 * time.Second, 0}) {
		t.Errorf("announced %v", waits)
	}
}
