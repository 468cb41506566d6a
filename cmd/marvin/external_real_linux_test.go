package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
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

// handy lists the tools with which external agents run a command, with their parameters.
var handy = map[string]string{
	"bash": `{"command":"LINE","description":"make a file"}`, "Bash": `{"command":"LINE","description":"make a file"}`,
	"run_shell_command": `{"command":"LINE","description":"make a file","is_background":false}`,
	"shell_command":     `{"command":"LINE"}`, "exec_command": `{"cmd":"LINE"}`, "shell": `{"command":["bash","-c","LINE"]}`, "local_shell": `{"command":["bash","-c","LINE"]}`,
}

// working returns a call of a tool that makes a file.
func working(tool string) (arguments string, known bool) {
	arguments, known = handy[tool]
	return strings.ReplaceAll(arguments, "LINE", "echo by a real agent > made.txt"), known
}

// editing is a model that makes an external agent create a file with the agent's own tool for
// commands.
func editing(request modeltest.Request) modeltest.Step {
	if request.Last().Role == messages.Tool {
		return modeltest.Text("the real work is done")
	}
	for _, tool := range request.Tools {
		if arguments, known := working(tool.Name); known {
			return modeltest.Calls(modeltest.Call{Name: tool.Name, Args: arguments})
		}
	}
	return modeltest.Text("a title")
}

// googles answers like the API of Gemini, with the same calls.
func googles(to http.ResponseWriter, r *http.Request) {
	var asked struct {
		Contents []struct {
			Parts []struct {
				FunctionResponse json.RawMessage `json:"functionResponse"`
			} `json:"parts"`
		} `json:"contents"`
		Tools []struct {
			Functions []struct {
				Name string `json:"name"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	part := `{"text":"the real work is done"}`
	worked := false
	for _, content := range asked.Contents {
		for _, one := range content.Parts {
			worked = worked || one.FunctionResponse != nil
		}
	}
	for _, list := range asked.Tools {
		for _, tool := range list.Functions {
			if arguments, known := working(tool.Name); known && !worked {
				part = fmt.Sprintf(`{"functionCall":{"name":%q,"args":%s}}`, tool.Name, arguments)
			}
		}
	}
	answer := fmt.Sprintf(`{"candidates":[{"index":0,"content":{"role":"model","parts":[%s]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":9,"totalTokenCount":18}}`, part)
	switch {
	case strings.Contains(r.URL.Path, ":streamGenerateContent"):
		to.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(to, "data: %s\n\n", answer)
	case strings.Contains(r.URL.Path, ":countTokens"):
		fmt.Fprint(to, `{"totalTokens":9}`)
	default:
		to.Header().Set("Content-Type", "application/json")
		fmt.Fprint(to, answer)
	}
}

// onPath is a program that npm installs.
func onPath(name, module string) func(t *testing.T) string {
	return func(t *testing.T) string {
		program, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("npm install %s, and put it on PATH: %v", module, err)
		}
		return program
	}
}

// Real external agents do a task in the sandbox, each with the scripted model server.
func TestRealAgentsOfOthersDoATask(t *testing.T) {
	server := httptest.NewServer(modeltest.New(editing).Foreign())
	t.Cleanup(server.Close)
	google := httptest.NewServer(http.HandlerFunc(googles))
	t.Cleanup(google.Close)
	for name, agent := range map[string]struct {
		find    func(t *testing.T) string
		args    string
		environ []string
		login   map[string]string // files at home that it gets a copy of
	}{
		"copilot":  {find: func(t *testing.T) string { return copilottest.Path(t) }, args: ", --acp", environ: copilotAsking(server.URL)},
		"opencode": {find: onPath("opencode", "opencode-ai"), args: ", acp", environ: opencodeAsking(server.URL)},
		"qwen":     {find: onPath("qwen", "@qwen-code/qwen-code"), args: ", --acp", environ: []string{"OPENAI_API_KEY=k", "OPENAI_MODEL=m", "OPENAI_BASE_URL=" + server.URL + "/v1"}, login: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"openai"}},"privacy":{"usageStatisticsEnabled":false}}`}},
		"gemini":   {find: onPath("gemini", "@google/gemini-cli"), args: ", --acp", environ: []string{"GEMINI_API_KEY=k", "GOOGLE_GEMINI_BASE_URL=" + google.URL}, login: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false}}`}},
		"claude":   {find: onPath("claude-agent-acp", "@agentclientprotocol/claude-agent-acp"), environ: []string{"ANTHROPIC_API_KEY=k", "ANTHROPIC_BASE_URL=" + server.URL, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}},
		"codex":    {find: onPath("codex-acp", "@zed-industries/codex-acp"), args: `, -c, 'model_provider="test"', -c, 'model="gpt-5"', -c, 'model_providers.test={name="Test",base_url="` + server.URL + `/v1",env_key="OPENAI_API_KEY",wire_api="responses"}'`, environ: []string{"OPENAI_API_KEY=k"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name != "copilot" {
				t.Skip("make reality runs the other agents")
			}
			program, names := agent.find(t), []string{}
			for _, one := range agent.environ {
				variable, _, _ := strings.Cut(one, "=")
				names = append(names, variable)
			}
			command := process(t, doing, "--approve", "auto", "-p", fmt.Sprintf(`launch_agent {"agent":%q,"prompt":"make the file made.txt"}`, name))
			command.Dir, command.Env = outsideTmp(t), append(command.Env, agent.environ...)
			home := strings.TrimPrefix(command.Env[0], "HOME=")
			files := map[string]string{".config/marvin/config.yaml": fmt.Sprintf("agents:\n  %s: {command: [%s%s], env: [%s]}\n", name, program, agent.args, strings.Join(names, ", "))}
			maps.Copy(files, agent.login)
			for path, text := range files {
				if path = filepath.Join(home, path); os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte(text), 0o600) != nil {
					t.Fatal(path)
				}
			}
			out, err := command.CombinedOutput()
			if made, _ := os.ReadFile(filepath.Join(command.Dir, "made.txt")); string(made) != "by a real agent\n" || !strings.Contains(string(out), "the real work is done") || !strings.Contains(string(out), "[completed") {
				t.Errorf("%v: made.txt holds %q; it says:\n%s", err, made, out)
			}
		})
	}
}
