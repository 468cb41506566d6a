package hooks

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestClaudeHookInput(t *testing.T) {
	none, twice, result := 0, 2, "done"
	const begins = `{"session_id":"s","transcript_path":"","cwd":"/d","permission_mode":"default","hook_event_name":"Theirs"`
	for _, one := range []struct {
		said HookInput
		want string
	}{
		{HookInput{Event: SessionStart}, `,"source":"startup"}`},
		{HookInput{Event: SessionResume}, `,"source":"resume"}`},
		{HookInput{Event: SessionClear}, `,"source":"clear"}`},
		{HookInput{Event: AgentEnd}, `,"reason":"other"}`},
		{HookInput{Event: AgentStop}, `,"stop_hook_active":false}`},
		{HookInput{Event: AgentStop, Stops: &none}, `,"stop_hook_active":false}`},
		{HookInput{Event: AgentStop, Stops: &twice}, `,"stop_hook_active":true}`},
		{HookInput{Prompt: "a && b"}, `,"prompt":"a && b"}`},
		{HookInput{Asked: "May it?"}, `,"message":"May it?"}`},
		{HookInput{Tool: "run_command", Args: json.RawMessage(`{"command":"ls"}`)}, `,"tool_name":"Bash","tool_input":{"command":"ls"}}`},
		{HookInput{Tool: "own_tool", Args: json.RawMessage(`{"path":"a","x":1}`), Result: &result}, `,"tool_name":"own_tool","tool_input":{"file_path":"/d/a","path":"a","x":1},"tool_response":"done"}`},
		{HookInput{Tool: "own_tool", Args: json.RawMessage(`{"path":"/a"}`)}, `,"tool_name":"own_tool","tool_input":{"file_path":"/a","path":"/a"}}`},
		{HookInput{Tool: "own_tool", Args: json.RawMessage(`{"path":"a","file_path":"b"}`)}, `,"tool_name":"own_tool","tool_input":{"path":"a","file_path":"b"}}`},
		{HookInput{Tool: "own_tool", Args: json.RawMessage(`{"path":7}`)}, `,"tool_name":"own_tool","tool_input":{"path":7}}`},
		{HookInput{Tool: "own_tool", Args: json.RawMessage(`[1]`)}, `,"tool_name":"own_tool","tool_input":[1]}`},
	} {
		one.said.Session, one.said.Dir = "s", "/d"
		told, err := Hook{foreign: "Theirs"}.toldForeign(one.said)
		if got := strings.TrimSpace(string(told)); err != nil || got != begins+one.want {
			t.Errorf("%s, %v; want %s", got, err, begins+one.want)
		}
	}
}
