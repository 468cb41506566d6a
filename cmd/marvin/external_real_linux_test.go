package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

// editing is a model that has an agent of others make a file with its own tool for commands.
func editing(request modeltest.Request) modeltest.Step {
	if request.Last().Role == messages.Tool {
		return modeltest.Text("the real work is done")
	}
	for _, tool := range request.Tools {
		if tool.Name == "bash" {
			return modeltest.Calls(modeltest.Call{Name: "bash", Args: map[string]any{"command": "echo by a real agent > made.txt", "description": "make a file"}})
		}
	}
	return modeltest.Text("a title")
}

// Real agents of others do a task in the sandbox, each with the scripted model server.
func TestRealAgentsOfOthersDoATask(t *testing.T) {
	server := httptest.NewServer(modeltest.New(editing))
	t.Cleanup(server.Close)
	for name, agent := range map[string]struct {
		find    func(t *testing.T) string
		args    string
		environ []string
	}{
		"copilot": {func(t *testing.T) string { return copilottest.Path(t) }, "--acp", append(copilottest.Asking(server.URL), "COPILOT_OFFLINE=true", "COPILOT_MODEL=test-model", "COPILOT_AUTO_UPDATE=false")},
		"opencode": {func(t *testing.T) string {
			program, err := exec.LookPath("opencode")
			if err != nil {
				t.Skip("npm install opencode-ai, and put it on PATH: ", err)
			}
			return program
		}, "acp", []string{fmt.Sprintf(`OPENCODE_CONFIG_CONTENT={"model":"test/m","small_model":"test/m","autoupdate":false,"share":"disabled","provider":{"test":{"npm":"@ai-sdk/openai-compatible","name":"Test","options":{"baseURL":"%s/v1","apiKey":"k"},"models":{"m":{"name":"m","tool_call":true}}}}}`, server.URL), "OPENCODE_DISABLE_MODELS_FETCH=1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, names := agent.find(t), []string{}
			for _, one := range agent.environ {
				variable, _, _ := strings.Cut(one, "=")
				names = append(names, variable)
			}
			command := process(t, doing, "-p", fmt.Sprintf(`launch_agent {"agent":%q,"prompt":"make the file made.txt"}`, name))
			command.Dir, command.Env = outsideTmp(t), append(command.Env, agent.environ...)
			config := filepath.Join(strings.TrimPrefix(command.Env[0], "HOME="), ".config", "marvin", "config.yaml")
			if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(config, fmt.Appendf(nil, "agents:\n  %s: {command: [%s, %s], env: [%s]}\n", name, program, agent.args, strings.Join(names, ", ")), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := command.CombinedOutput()
			if made, _ := os.ReadFile(filepath.Join(command.Dir, "made.txt")); string(made) != "by a real agent\n" || !strings.Contains(string(out), "the real work is done") || !strings.Contains(string(out), "[completed") {
				t.Errorf("%v: made.txt holds %q; it says:\n%s", err, made, out)
			}
		})
	}
}
