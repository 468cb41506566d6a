package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"marvin/tools"
)

// kitchen is a registry with tools that other agents also have, and a tool of a server.
func kitchen(t *testing.T) *Registry {
	t.Helper()
	type commandArgs struct {
		Command    string `json:"command" doc:"A line"`
		Background bool   `json:"background" doc:"Beside" default:"false"`
		Timeout    int    `json:"timeout" doc:"Seconds" default:"30"`
	}
	type fileArgs struct {
		Path    string `json:"path" doc:"A file"`
		Content string `json:"content,omitempty" doc:"Its content" alias:"new_str"`
		Start   int    `json:"start_line,omitempty" doc:"From"`
		End     int    `json:"end_line,omitempty" doc:"To"`
	}
	file := func(name string, effect tools.Effect, needs tools.Needs) tools.Tool {
		return tools.New(tools.Def[fileArgs]{Name: name, Doc: "Works on a file.", Effect: effect, Needs: needs, Run: func(_ context.Context, _ tools.Env, in fileArgs) (tools.Output, error) {
			return tools.Output{Text: fmt.Sprintf("%s %s %q %d-%d\n", name, in.Path, in.Content, in.Start, in.End)}, nil
		}})
	}
	registry := &Registry{}
	registry.Add(tools.New(tools.Def[commandArgs]{Name: "run_command", Doc: "Runs a line.", Effect: tools.Irreversible, Run: func(_ context.Context, _ tools.Env, in commandArgs) (tools.Output, error) {
		if in.Command == "fail" {
			return tools.Output{}, errors.New("it failed")
		}
		return tools.Output{Text: fmt.Sprintf("%s %v %d\n", in.Command, in.Background, in.Timeout)}, nil
	}}), file("read_file", tools.Reads, tools.Needs{}), file("create_file", tools.Writes, tools.Needs{Coding: true}), file("apply_patch", tools.Writes, tools.Needs{}))
	return registry
}

// A tool is found by its own name, by another agent's name, and by a similar name. Its result says
// what it is called here.
func TestToolsByOtherNames(t *testing.T) {
	registry, mode := kitchen(t), tools.Mode{Coding: true, Person: true}
	const known = "\n[%s is called %s here]\n"
	for _, one := range []struct{ name, args, want string }{
		{"run_command", `{"command":"ls"}`, "ls false 30\n"},
		{"bash", `{"cmd":"ls","is_background":true,"timeout_ms":5000,"description":"Look"}`, "ls true 5" + fmt.Sprintf(known, "bash", "run_command")},
		{"Bash\x1b", `{"Command":"ls"}`, `there is no tool called "Bash\x1b"`},
		{"functions.exec", `{"command":"ls"}`, "ls false 30" + fmt.Sprintf(known, "functions.exec", "run_command")},
		{"mcp__files__ReadFile", `{"path":"a"}`, "read_file a \"\" 0-0\n"},
		{"bash", `"{\"command\":\"ls\"}"`, "ls false 30" + fmt.Sprintf(known, "bash", "run_command")},
		{"bash", `not JSON`, "the arguments must be a JSON object, but they are: \"not JSON\""},
		{"bash", `{"command":"fail"}`, "it failed\n[bash is called run_command here]"},
		{"bash", `{"command":"ls","colour":"red"}`, "there is no parameter \"colour\""},
		{"str_replace_editor", `{"command":"view","path":"a","view_range":[1,2]}`, "read_file a \"\" 1-2" + fmt.Sprintf(known, "str_replace_editor", "read_file")},
		{"str_replace_editor", `{"command":"create","path":"a","file_text":"x"}`, "create_file a \"x\" 0-0" + fmt.Sprintf(known, "str_replace_editor", "create_file")},
		{"str_replace_editor", `{"command":"insert"}`, "Marvin's tools cannot insert text by line number"},
		{"LS", `{}`, `there is no tool called "LS"`},
		{"read_fill", `{}`, "there is no tool called \"read_fill\"\nClose names: read_file"},
		{"zzzz", `{}`, "there is no tool called \"zzzz\"\nFind a tool by its purpose with find_tools."},
	} {
		said := ""
		tool, err := registry.Find(one.name, mode)
		if err == nil {
			var call tools.Call
			if call, err = tool.Decode(json.RawMessage(one.args)); err == nil {
				var output tools.Output
				output, err = call.Run(t.Context(), tools.Env{})
				said = output.Text
			}
		}
		if err != nil {
			said = err.Error()
		}
		if !strings.HasPrefix(said, one.want) {
			t.Errorf("%s %s: %q, want %q", one.name, one.args, said, one.want)
		}
		if _, has := TryFind(registry, one.name, mode); has != !strings.HasPrefix(one.want, "there is no tool") {
			t.Errorf("there is %s: %v", one.name, has)
		}
	}
}

// Another name for a tool does not bypass the limits of a mode.
func TestModeRefusesAliases(t *testing.T) {
	registry := kitchen(t)
	only := tools.Tool{}
	for i := range registry.tools {
		if registry.tools[i].Name == "read_file" {
			only = registry.tools[i]
		}
	}
	changed := func(change func(*tools.Tool)) tools.Tool { tool := only; change(&tool); return tool }
	for _, one := range []struct {
		tool tools.Tool
		mode tools.Mode
		want string
	}{
		{only, tools.Mode{}, ""},
		{only, tools.Mode{ReadOnly: true, Agent: true, Only: []string{"read_file"}}, ""},
		{changed(func(tool *tools.Tool) { tool.Writes = true }), tools.Mode{ReadOnly: true}, "this run is read-only (MARVIN_READONLY=1); tools that write are off"},
		{changed(func(tool *tools.Tool) { tool.Coding = true }), tools.Mode{}, "the tool needs coding mode, which is off"},
		{changed(func(tool *tools.Tool) { tool.Coding = true }), tools.Mode{Coding: true}, ""},
		{changed(func(tool *tools.Tool) { tool.Interactive = true }), tools.Mode{}, "it needs a user, and this run has none"},
		{changed(func(tool *tools.Tool) { tool.Interactive = true }), tools.Mode{Person: true}, ""},
		{changed(func(tool *tools.Tool) { tool.Planning = true }), tools.Mode{}, "the user has not asked for a plan; continue without this tool"},
		{changed(func(tool *tools.Tool) { tool.Planning = true }), tools.Mode{Planning: true}, ""},
		{changed(func(tool *tools.Tool) { tool.TopOnly = true }), tools.Mode{Agent: true}, "sub-agents do not have this tool; finish the task without it"},
		{changed(func(tool *tools.Tool) { tool.TopOnly = true }), tools.Mode{}, ""},
		{only, tools.Mode{Only: []string{"other"}}, "this sub-agent may not use this tool; finish the task without it"},
	} {
		if got := one.mode.WhyUnavailable(one.tool); got != one.want {
			t.Errorf("%+v: %q, want %q", one.mode, got, one.want)
		}
	}
	editor, err := registry.Find("str_replace_editor", tools.Mode{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := editor.Decode(json.RawMessage(`{"command":"create","path":"a","file_text":"x"}`)); !errors.Is(err, tools.ErrForbidden) || !strings.Contains(err.Error(), "create_file is not available: the tool needs coding mode, which is off") {
		t.Errorf("%v", err)
	}
	if _, err := registry.Find("bash", tools.Mode{ReadOnly: true}); !errors.Is(err, tools.ErrForbidden) {
		t.Errorf("%v", err)
	}
	if _, err := registry.Find("create_file", tools.Mode{}); !errors.Is(err, tools.ErrForbidden) {
		t.Errorf("%v", err)
	}
}
