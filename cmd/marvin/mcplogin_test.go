//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/tools/mcp/mcptest"
)

// The complete way of a user: a server that requires a login, its address in a browser, and then
// its tools.
func TestUserLogsInAtAnMCPServer(t *testing.T) {
	server := mcptest.NewGuarded(time.Hour)
	defer server.Close()
	home, dir := t.TempDir(), t.TempDir()
	marvin := func(words ...string) *exec.Cmd {
		command := exec.Command(os.Args[0], words...)
		command.Args[0], command.Dir = "marvin", dir
		command.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		return command
	}
	out, err := marvin("mcp", "add", "tracker", "--url", server.URL+"/mcp").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "marvin mcp login tracker") {
		t.Fatalf("%v: %s", err, out)
	}
	command := marvin("mcp", "login", "tracker")
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stdout strings.Builder
	command.Stdout = &stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		address := strings.TrimSpace(lines.Text())
		if !strings.HasPrefix(address, "http") {
			continue
		}
		response, err := http.Get(address)
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
	_, _ = io.Copy(io.Discard, stderr)
	waitFor(t, command)
	if !strings.Contains(stdout.String(), "You are logged in to tracker, which has 1 tool.") {
		t.Errorf("it says %q", stdout.String())
	}
	if info, err := os.Stat(filepath.Join(home, ".config", "marvin", "logins.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the login is kept as %v, %v", info, err)
	}
	if out, err := marvin("mcp", "call", "tracker", "run_command", "text=hello").CombinedOutput(); err != nil || string(out) != "said: hello\n" {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := marvin("mcp", "login", "tracker", "--forget").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := marvin("mcp", "call", "tracker", "run_command", "text=hello").CombinedOutput(); err == nil || !strings.Contains(string(out), "wants a login") {
		t.Errorf("%v: %s", err, out)
	}
}
