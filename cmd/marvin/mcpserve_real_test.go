package main

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marvin/messages"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

// asServer returns the command line of this program as a server that another agent starts, in a
// project with a file.
func asServer(t *testing.T, tool string) (dir string, line []string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("the words of the file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "marvin")
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	return dir, []string{program, "mcp", "serve", "--tools", tool, "--working-dir", dir}
}

// environOfOthers returns an environment with a new home in which nothing is configured.
func environOfOthers(t *testing.T, more ...string) []string {
	t.Helper()
	return append([]string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), sandboxHere(), "MARVIN_DEPTH="}, more...)
}

// The command line of the official inspector lists and calls the tools that Marvin offers.
func TestTheRealInspectorCallsMarvin(t *testing.T) {
	t.Parallel()
	inspector, err := exec.LookPath("mcp-inspector")
	if err != nil {
		t.Skip("mcp-inspector is not there: npm install @modelcontextprotocol/inspector")
	}
	dir, line := asServer(t, "read_file,create_file")
	ask := func(into any, arguments ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), inspector, append(append([]string{"--cli"}, line...), arguments...)...)
		command.Env, command.Dir = environOfOthers(t), dir
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := json.Unmarshal(out, into); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	var listed struct {
		Tools []struct {
			Name        string
			InputSchema struct{ Type string }
		}
	}
	ask(&listed, "--method", "tools/list")
	if len(listed.Tools) != 2 || listed.Tools[0].Name != "create_file" || listed.Tools[1].Name != "read_file" || listed.Tools[0].InputSchema.Type != "object" {
		t.Errorf("%+v", listed)
	}
	var answer struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	ask(&answer, "--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=a.txt")
	if answer.IsError || len(answer.Content) != 1 || answer.Content[0].Text != "the words of the file\n" {
		t.Errorf("%+v", answer)
	}
	ask(&answer, "--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=../outside.txt")
	if !answer.IsError || strings.Contains(answer.Content[0].Text, "the words") {
		t.Errorf("outside of the project: %+v", answer)
	}
}

// Another agent, the Copilot CLI with a model of the user, calls Marvin's tools by MCP.
func TestTheRealCopilotCLICallsMarvin(t *testing.T) {
	t.Parallel()
	program := copilottest.Path(t)
	dir, line := asServer(t, "read_file")
	var mu sync.Mutex
	offered, result := "", ""
	server := httptest.NewServer(modeltest.New(func(request modeltest.Request) modeltest.Step {
		mu.Lock()
		defer mu.Unlock()
		for _, tool := range request.Tools {
			if strings.HasPrefix(tool.Name, "marvin") && strings.HasSuffix(tool.Name, "read_file") {
				offered = tool.Name
			}
		}
		if last := request.Last(); last.Role == messages.Tool {
			result = last.Result.Text
			return modeltest.Text("It says: ", result)
		}
		if offered == "" {
			return modeltest.Text("there is no tool")
		}
		return modeltest.Calls(modeltest.Call{Name: offered, Args: map[string]string{"path": "a.txt"}})
	}))
	defer server.Close()
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"marvin": map[string]any{"type": "local", "command": line[0], "args": line[1:], "tools": []string{"*"}, "env": map[string]string{}}}})
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "-p", "what does a.txt say", "--allow-all-tools", "--no-color", "--additional-mcp-config", string(config))
	command.Dir = dir
	command.Env = append(copilottest.Environ(t.TempDir(), sandboxHere(), "MARVIN_DEPTH=", "COPILOT_MODEL=test-model", "COPILOT_AUTO_UPDATE=false"), copilottest.Asking(server.URL)...)
	out, err := command.CombinedOutput()
	mu.Lock()
	defer mu.Unlock()
	if err != nil || offered == "" || !strings.Contains(result, "the words of the file") || !strings.Contains(string(out), "the words of the file") {
		t.Errorf("%v: offered %q, the result %q; it says:\n%s", err, offered, result, out)
	}
}
