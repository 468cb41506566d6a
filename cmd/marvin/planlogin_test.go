//go:build unix

package main

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// The complete way of a user with a ChatGPT plan: the address in a browser, a prompt with a
// command, an expired token, and the end of the login. The tokens of OpenAI are in logins.json and
// nowhere else: not in output, logs, children or requests to the model.
func TestUserLogsInWithAPlan(t *testing.T) {
	plan := modeltest.StartPlan(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.User {
			return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "env"}})
		}
		return modeltest.Text("Looked.")
	})
	home, dir := t.TempDir(), t.TempDir()
	var seen strings.Builder
	marvin := func(words ...string) *exec.Cmd {
		command := exec.Command(os.Args[0], words...)
		command.Args[0], command.Dir = "marvin", dir
		command.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "MARVIN_HOSTS=auth.openai.com=" + plan.URL + ",chatgpt.com=" + plan.URL, sandboxHere()}
		return command
	}
	run := func(words ...string) (string, error) {
		out, err := marvin(words...).CombinedOutput()
		seen.Write(out)
		return string(out), err
	}
	ask := []string{"-n", "-p", "look around", "--provider", "chatgpt", "--working-dir", dir, "--approve", "all"}
	if out, err := run(ask...); err == nil || !strings.Contains(out, "marvin login chatgpt") {
		t.Fatalf("no one is logged in: %v: %s", err, out)
	}
	command := marvin("login", "chatgpt")
	var stdout strings.Builder
	command.Stdout = &stdout
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		address := strings.TrimSpace(lines.Text())
		if !strings.HasPrefix(address, "https://auth.openai.com/oauth/authorize?") {
			continue
		}
		response, err := plan.Visit(address)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || !strings.Contains(string(page), "You can close this page") {
			t.Fatalf("the browser shows %q, %v", page, err)
		}
		break
	}
	rest, _ := io.ReadAll(stderr)
	waitFor(t, command)
	if !strings.Contains(stdout.String(), "You are logged in. Your plan has gpt-5.3-codex.") {
		t.Fatalf("it says %q, %s", stdout.String(), rest)
	}
	seen.WriteString(stdout.String() + string(rest))
	kept := filepath.Join(home, ".config", "marvin", "logins.json")
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the login is kept as %v, %v", info, err)
	}
	plan.Forget(false) // the token ends before its time
	if out, err := run(ask...); err != nil || !strings.Contains(out, "Looked.") || !strings.Contains(out, `"session_cost":0,`) || plan.Renewals() != 1 {
		t.Errorf("%v after %d renewals: %s", err, plan.Renewals(), out)
	}
	if out, err := run("models", "chatgpt"); err != nil || !strings.Contains(out, "chatgpt/gpt-5.3-codex") {
		t.Errorf("%v: %s", err, out)
	}
	for _, request := range plan.Model.Requests() {
		seen.Write(request.Raw)
	}
	nowhere(t, home, kept, plan.Secrets(), &seen)
	plan.Forget(true)
	if out, err := run(ask...); err == nil || !strings.Contains(out, "log in again with marvin login chatgpt") || strings.Contains(out, "Check that the plan") {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := run("login", "--forget", "chatgpt"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if data, err := os.ReadFile(kept); err != nil || strings.Contains(string(data), "canary") {
		t.Errorf("what is kept of a forgotten login: %s, %v", data, err)
	}
	nowhere(t, home, kept, plan.Secrets(), &seen)
}

// nowhere looks for secrets in all that was seen, and in all files except the one in which they are
// stored.
func nowhere(t *testing.T, home, but string, secrets []string, seen *strings.Builder) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Type()&fs.ModeSymlink != 0 || path == but {
			return err
		}
		data, err := os.ReadFile(path)
		seen.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range secrets {
		if strings.Contains(seen.String(), secret) {
			t.Errorf("%s got out", secret)
		}
	}
}
