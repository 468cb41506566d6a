package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marvin/providers/modeltest"
)

// A user watches a CI, a page and a file. A check without a change asks no model; a change is a
// notice or a prompt to a model with both values.
func TestWatchesTellOfARedCIAChangedPageAndANewFile(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	shows, asked := map[string]string{"/ci": "build 7: passed", "/page": "Opens at 9."}, []string{}
	web := httptest.NewServer(http.HandlerFunc(func(to http.ResponseWriter, request *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		to.Header().Set("Content-Type", "text/plain")
		_, _ = fmt.Fprintln(to, shows[request.URL.Path])
	}))
	defer web.Close()
	show := func(path, text string) {
		mu.Lock()
		defer mu.Unlock()
		shows[path] = text
	}
	like := process(t, func(request modeltest.Request) modeltest.Step {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, string(request.Raw))
		return modeltest.Text("It opens an hour later.")
	})
	withoutCron(t, like)
	home := strings.TrimPrefix(like.Env[0], "HOME=")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add := func(call string, args ...string) string {
		t.Helper()
		out, wrong, err := inShell(t, like, append([]string{"watch", "add", "--yes", call, "--every", "10m"}, args...)...)
		id, _, found := strings.Cut(strings.TrimPrefix(out, "Watching "), ":")
		if err != nil || !found {
			t.Fatalf("%v: %s %s", err, out, wrong)
		}
		return id
	}
	ci := add("browse_web url="+web.URL+"/ci", "--when", "matches failed|red")
	if _, wrong, err := inShell(t, like, "watch", "check", ci); err == nil || !strings.Contains(wrong, "list it under \"hosts:\"") {
		t.Errorf("a server of this machine that the user did not name was asked: %v %s", err, wrong)
	}
	host := strings.TrimPrefix(web.URL, "http://")
	write(filepath.Join(home, ".config", "marvin", "config.yaml"), "hosts: {127.0.0.1: \"http://"+host+"\"}\n")
	page := add("browse_web url="+web.URL+"/page", "--prompt", "what is new", "--provider", "openai-compat", "--to", "file:"+filepath.Join(home, "result"))
	file := add("find_files pattern=report*.pdf", "--when", "matches report")
	check := func(want int, has ...string) {
		t.Helper()
		out, wrong, err := inShell(t, like, "watch", "check", "--all")
		code, exit := 0, new(exec.ExitError)
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		}
		if code != want || strings.Count(out, "  changed  ") != len(has) {
			t.Errorf("exit code %d, want %d: %s %s", code, want, out, wrong)
		}
		for _, one := range has {
			if !strings.Contains(out, one+"  changed  ") {
				t.Errorf("%s reports nothing: %s", one, out)
			}
		}
	}
	check(0) // the first values
	check(0)
	if len(asked) > 0 {
		t.Errorf("a check without a change asked a model: %s", asked)
	}
	show("/ci", "build 8: FAILED")
	check(1, ci)
	show("/page", "Opens at 10.")
	write(filepath.Join(like.Dir, "report-7.pdf"), "x")
	check(1, page, file)
	if len(asked) != 1 || !strings.Contains(asked[0], "what is new") || !strings.Contains(asked[0], `Opens at 9.\n\nNow:\nOpens at 10.`) {
		t.Errorf("the model was asked %q", asked)
	}
	if text, _ := os.ReadFile(filepath.Join(home, "result")); !strings.Contains(string(text), "It opens an hour later.") {
		t.Errorf("the result is %q", text)
	}
	check(0)
	if out, _, _ := inShell(t, like, "today"); !strings.Contains(out, "changed find_files") {
		t.Errorf("today does not tell of the new file: %s", out)
	}
}

// The user learns that the tests are red. Both commands of a watch are shown and confirmed when it is
// made, run in the sandbox, get the values as variables, and end with the time limit.
func TestAWatchRunsItsCommandsInTheSandbox(t *testing.T) {
	t.Parallel()
	if sandboxHere() != "MARVIN_SANDBOX=" {
		t.Skip("there is no sandbox here")
	}
	like := process(t, doing)
	withoutCron(t, like)
	home := strings.TrimPrefix(like.Env[0], "HOME=")
	like.Dir = outsideTmp(t)
	tests := func(script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(like.Dir, "test.sh"), []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests("echo ok")
	watch := []string{"watch", "add", `run_command command="sh test.sh"`, "--when", "fails", "--run", `echo "$MARVIN_WATCH_OLD to $MARVIN_WATCH_NEW" > red; touch "$HOME/owned"; sleep 600`, "--max-time", "10s"}
	if _, wrong, err := inShell(t, like, watch...); err == nil || !strings.Contains(wrong, "without the network: sh test.sh") || !strings.Contains(wrong, "> red; touch") {
		t.Errorf("a command was not shown before a watch was made: %v %s", err, wrong)
	}
	if list, _, _ := inShell(t, like, "watch", "list", "--output", "json"); strings.TrimSpace(list) != "[]" {
		t.Errorf("nobody confirmed %s", list)
	}
	if _, wrong, err := inShell(t, like, append(watch, "--yes")...); err != nil {
		t.Fatalf("%v: %s", err, wrong)
	}
	for range 2 {
		if out, wrong, err := inShell(t, like, "watch", "check"); err != nil {
			t.Fatalf("%v: %s %s", err, out, wrong)
		}
	}
	tests("echo '$(touch owned)'; exit 3")
	out, wrong, err := inShell(t, like, "watch", "check")
	if err == nil || !strings.Contains(out, "exit code: 3") || !strings.Contains(out, "stopped after 10s") {
		t.Errorf("%v: %s %s", err, out, wrong)
	}
	if text, _ := os.ReadFile(filepath.Join(like.Dir, "red")); string(text) != "ok\nexit code: 0 to $(touch owned)\nexit code: 3\n" {
		t.Errorf("the command got %q", text)
	}
	for _, owned := range []string{filepath.Join(home, "owned"), filepath.Join(like.Dir, "owned")} {
		if _, err := os.Stat(owned); err == nil {
			t.Errorf("%s was made", owned)
		}
	}
	if past, _, _ := inShell(t, like, "watch", "history"); !strings.Contains(past, "stopped after 10s") {
		t.Errorf("the history is %s", past)
	}
}
