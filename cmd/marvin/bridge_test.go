package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// bridged is a message in a web chat, in the form of testdata/bridge/bridge.py.
type bridged struct {
	Message string              `json:"message"`
	History []map[string]string `json:"history,omitempty"`
	Options []string            `json:"options"`
	Quiet   float64             `json:"quiet,omitempty"`
	Limit   float64             `json:"limit,omitempty"`
}

// seen is one event in the browser.
type seen struct{ Type, Content, Message string }

// bridge sends a message through the bridge and passes each event to hear.
func bridge(t *testing.T, message bridged, answer func(modeltest.Request) modeltest.Step, hear func(seen)) (cost string, home string) {
	t.Helper()
	like := process(t, answer)
	python, env := pythonWith(t, like)
	script, err := filepath.Abs(filepath.Join("testdata", "bridge", "bridge.py"))
	if err != nil {
		t.Fatal(err)
	}
	message.Options = append(message.Options, "--provider", "openai-compat")
	input, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(python, script)
	command.Dir, command.Env, command.Stdin = like.Dir, env, bytes.NewReader(input)
	stdout, stderr := piped(t, command)
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		data, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "data: ")
		if blank, _ := lines.ReadString('\n'); !ok || blank != "\n" {
			t.Fatalf("no event: %q %q", line, blank)
		}
		var event seen
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		hear(event)
	}
	waitFor(t, command)
	if command.ProcessState.ExitCode() != 0 {
		t.Fatalf("the bridge fails:\n%s", stderr.String())
	}
	return stderr.String(), strings.TrimPrefix(like.Env[0], "HOME=")
}

// kinds returns the types of events, and the text of the tokens as the page shows it.
func kinds(all []seen) (types, text string) {
	var names, tokens []string
	for _, event := range all {
		if event.Type == "token" {
			tokens = append(tokens, event.Content)
		}
		names = append(names, event.Type)
	}
	return strings.Join(names, " "), strings.Join(tokens, "\n")
}

func TestBridgeContract(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 30_000) // more than asyncio reads as a line by default
	var asked string
	var events []seen
	message := bridged{Message: "What about the second one?", Quiet: 60}
	for i := range 25 {
		message.History = append(message.History, map[string]string{"role": []string{"user", "assistant"}[i%2], "text": fmt.Sprintf("message %d", i)})
	}
	cost, home := bridge(t, message, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("Here ", "are three:\n", "\n1. Tony's\n2. Ünter\n", long)
		}
		asked = request.Last().Text
		return modeltest.Text("Let me look.").Append(modeltest.Calls(modeltest.Call{Name: "get_working_dir"}, modeltest.Call{Name: "get_working_dir"}))
	}, func(event seen) { events = append(events, event) })
	types, text := kinds(events)
	if types != "token thinking token token token token token done" {
		t.Errorf("the events are %s", types)
	}
	if want := "Let me look.\nHere are three:\n\n1. Tony's\n2. Ünter\n" + strings.TrimSpace(long) + " "; text != want {
		t.Errorf("the page shows %.200q", text)
	}
	if !strings.HasPrefix(asked, "Previous conversation (for context):\n  Marvin: message 5\n  User: message 6\n") || !strings.HasSuffix(asked, "\n\nCurrent message:\nWhat about the second one?") {
		t.Errorf("the model was asked %q", asked)
	}
	var paid struct {
		Cost       *float64       `json:"session_cost"`
		Turns      int            `json:"llm_turns"`
		ModelTurns map[string]int `json:"model_turns"`
	}
	if err := json.Unmarshal([]byte(cost), &paid); err != nil || paid.Cost == nil || paid.Turns != 2 || paid.ModelTurns["qwen/qwen3-32b"] != 2 {
		t.Errorf("%v: the cost is %s", err, cost)
	}
	found, _ := filepath.Glob(filepath.Join(home, ".config", "marvin", "profiles", "*", "chat_log.json"))
	if _, err := os.Stat(filepath.Join(home, ".config", "marvin", "usage.json")); err != nil || len(found) > 0 {
		t.Errorf("the conversation is the bridge's, the usage is not: %v, %v", err, found)
	}
}

func TestBridgeTellsFailuresAndStillKnowsTheCost(t *testing.T) {
	for name, c := range map[string]struct {
		message bridged
		step    modeltest.Step
		types   string
		problem string
		turns   string
	}{
		"refused":  {bridged{Message: "go"}, modeltest.Status(400, `{"error":{"message":"no"}}`), "error", "Marvin process exited with code 1", `"llm_turns": 0`},
		"usage":    {bridged{Message: "go", Options: []string{"--no-such-flag"}}, modeltest.Text("x"), "error", "Marvin process exited with code 1", `"llm_turns": 0`},
		"too long": {bridged{Message: "go", Limit: 1}, modeltest.Text("begun\n").Append(modeltest.Hang()), "token error", "Marvin took too long", `"session_cost": `},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var events []seen
			cost, _ := bridge(t, c.message, func(modeltest.Request) modeltest.Step { return c.step }, func(event seen) { events = append(events, event) })
			if types, _ := kinds(events); types != c.types || events[len(events)-1].Message != c.problem || !strings.Contains(cost, c.turns) {
				t.Errorf("%+v, cost %s", events, cost)
			}
		})
	}
}

func TestBridgeTellsThatNothingComes(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	goOn := sync.OnceFunc(func() { close(gate) })
	var events []seen
	bridge(t, bridged{Message: "go", Quiet: 0.3}, func(modeltest.Request) modeltest.Step {
		return modeltest.Text("one\n").Append(modeltest.Pause(gate), modeltest.Text("two\n"))
	}, func(event seen) {
		events = append(events, event)
		if types, _ := kinds(events); strings.HasSuffix(types, "token thinking") {
			goOn()
		}
	})
	if types, text := kinds(events); !strings.Contains(types, "token thinking token") || !strings.HasSuffix(types, "done") || text != "one\ntwo" {
		t.Errorf("%s: %q", types, text)
	}
}
