package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// seeds returns the directory of the integration guide, beside the project.
func seeds(t *testing.T) string {
	t.Helper()
	guide := filepath.Join(root(t), "..", "shared", "seeds", "marvin-integration.md")
	if given := os.Getenv("SEEDS"); given != "" {
		guide = filepath.Join(given, "marvin-integration.md")
	}
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Skip("not tried: ", err)
	}
	return string(text)
}

// block returns the Python block of the guide that contains a text.
func block(t *testing.T, guide, with string) string {
	t.Helper()
	for _, part := range strings.Split(guide, "```python\n")[1:] {
		if code, _, ok := strings.Cut(part, "\n```"); ok && strings.Contains(code, with) {
			return code
		}
	}
	t.Fatalf("no Python of the guide has %q", with)
	return ""
}

func TestRealityClientOfTheIntegrationGuide(t *testing.T) {
	reality(t, "python3")
	code := block(t, seeds(t), "async def send_to_marvin")
	code = strings.Replace(code, `"python", "/path/to/app.py",`, `"marvin", "--provider", "openai-compat",`, 1)
	if !strings.Contains(code, `"marvin", "--provider"`) {
		t.Fatalf("the guide starts another program:\n%s", code)
	}
	code = "import json\nfrom typing import AsyncIterator\n" + code + `
    print(json.dumps({"cost": cost_data}))

async def main():
    history = [{"role": "user", "text": "What is the first?"}, {"role": "assistant", "text": "It is one."}]
    async for token in send_to_marvin("And the second?", history):
        print(json.dumps({"token": token}))

asyncio.run(main())
`
	var asked modeltest.Request
	python, env := pythonWith(t, process(t, func(request modeltest.Request) modeltest.Step {
		asked = request
		return modeltest.Text("It is ", "two,\n", "äöü.").WithFaults(modeltest.Tokens(500_000, 0, 0))
	}))
	command := exec.Command(python, "-c", code)
	command.Env, command.Dir = env, t.TempDir()
	stdout, stderr, status := ends(t, command)
	var tokens []string
	var cost struct {
		Session float64 `json:"session_cost"`
		Turns   int     `json:"llm_turns"`
	}
	for line := range strings.Lines(stdout) {
		var said struct {
			Token *string
			Cost  json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if said.Token != nil {
			tokens = append(tokens, *said.Token)
		} else if err := json.Unmarshal(said.Cost, &cost); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(tokens, "|"); status != 0 || got != "It is two,|äöü." || cost.Turns != 1 || cost.Session < 0.1 {
		t.Errorf("exit code %d, %q, %+v\n%s", status, got, cost, stderr)
	}
	if said := asked.Last().Text; !strings.Contains(said, "  Marvin: It is one.") || !strings.HasSuffix(said, "And the second?") {
		t.Errorf("asked %q", said)
	}
}
