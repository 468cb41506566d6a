package hooks

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Hooks of a repository: the form of code.claude.com/docs/en/hooks, with features that do not
// exist here and an invalid matcher.
const foreignSettings = `{
 "permissions": {"allow": ["Bash(*)"]},
 "hooks": {
  "PreToolUse": [
   {"matcher": "Bash|Edit", "hooks": [{"type": "command", "command": "cat > said.json; grep -q push said.json && { echo 'tests first' >&2; exit 2; }; exit 0", "timeout": 5}]},
   {"matcher": "mcp__office__.*", "hooks": [{"type": "command", "command": "exit 2"}]},
   {"matcher": "(", "hooks": [{"type": "command", "command": "exit 2"}]}
  ],
  "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "echo it is Friday"}]}],
  "SubagentStop": [{"hooks": [{"type": "command", "command": "true"}]}],
  "Stop": [{"hooks": [{"type": "prompt", "prompt": "is it done?"}]}]
 }
}`

func offered(t *testing.T) *Offer {
	t.Helper()
	offer, err := ReadOffer(".claude/settings.json", []byte(foreignSettings))
	if err != nil || offer == nil {
		t.Fatal(offer, err)
	}
	return offer
}

func TestHooksOfClaudeCodeAreRead(t *testing.T) {
	offer := offered(t)
	if len(offer.Hooks) != 3 || len(offer.Left) != 3 {
		t.Fatalf("%+v, left out %q", offer.Hooks, offer.Left)
	}
	set := (*Set)(nil).Append(offer.Hooks)
	for tool, want := range map[string]int{"run_command": 1, "apply_patch": 1, "append_file": 1, "read_file": 0, "mcp_office_send": 1, "office_send": 0, "mcp_office": 0} {
		if got := len(set.Matching(ToolBefore, tool)); got != want {
			t.Errorf("%d hooks get %s, want %d", got, tool, want)
		}
	}
	for _, text := range []string{`{}`, `{"hooks":{}}`, `{"disableAllHooks":true,"hooks":{"Stop":[]}}`} {
		if none, err := ReadOffer("f", []byte(text)); none != nil || err != nil {
			t.Errorf("%s: %+v, %v", text, none, err)
		}
	}
	if _, err := ReadOffer("f", []byte(`{"hooks":[1]}`)); err == nil {
		t.Error("an invalid settings file was read")
	}
	// The hash covers the hooks: one more word is another offer.
	other, err := ReadOffer("f", []byte(strings.Replace(foreignSettings, "exit 0", "exit 0 ", 1)))
	if err != nil || other.Hash == offer.Hash {
		t.Error("a changed command has the hash of the old one", err)
	}
	same, err := ReadOffer("f", []byte(strings.Replace(foreignSettings, "Bash(*)", "Bash", 1)))
	if err != nil || same.Hash != offer.Hash {
		t.Error("what does not concern hooks changes the hash", err)
	}
}

func TestHooksOfClaudeCodeHearAndAnswerInTheirWords(t *testing.T) {
	place := scripts(t, nil)
	list := (*Set)(nil).Append(offered(t).Hooks).Matching(ToolBefore, "run_command")
	for i := range list {
		list[i].Held = false // what is to be seen is the form; the sandbox has tests of its own
	}
	said := call(`{"command":"git push"}`)
	said.Dir = place.Env.Dir
	outcome := Run(context.Background(), place, list, said)
	if outcome.Decision != No || !strings.Contains(outcome.Reason, "tests first") {
		t.Fatalf("%+v", outcome)
	}
	read, err := os.ReadFile(filepath.Join(place.Env.Dir, "said.json"))
	var theirs map[string]any
	if err != nil || json.Unmarshal(read, &theirs) != nil {
		t.Fatal(string(read), err)
	}
	if theirs["hook_event_name"] != "PreToolUse" || theirs["tool_name"] != "Bash" || theirs["cwd"] != place.Env.Dir || theirs["tool_input"].(map[string]any)["command"] != "git push" {
		t.Errorf("it was told %s", read)
	}
	start := (*Set)(nil).Append(offered(t).Hooks).Matching(AgentStart, "")
	start[0].Held = false
	if outcome := Run(context.Background(), place, start, HookInput{Event: AgentStart, Prompt: "hello"}); !slices.Equal(outcome.Context, []string{"it is Friday"}) {
		t.Errorf("%+v", outcome)
	}
}

func TestAnswersInTheFormOfClaudeCode(t *testing.T) {
	for text, want := range map[string]answer{
		`working…`:                           {},
		`{}`:                                 {},
		`{"decision":"block","reason":"no"}`: {Decision: No, Reason: "no"},
		`{"decision":"approve"}`:             {},
		`{"continue":false,"stopReason":"enough","decision":"approve"}`:                                         {Decision: No, Reason: "enough"},
		`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"why"}}`:                 {Decision: No, Reason: "why"},
		`{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"hm"}}`:                   {Decision: Ask, Reason: "hm"},
		`{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"file_path":"/a"}},"other":1}`:     {Args: json.RawMessage(`{"path":"/a"}`)},
		`{"hookSpecificOutput":{"additionalContext":"words","permissionDecision":"allow"},"systemMessage":"m"}`: {Context: "words"},
	} {
		said, err := readForeign(ToolBefore, []byte(text))
		if err != nil || said.Decision != want.Decision || said.Reason != want.Reason || said.Context != want.Context || string(said.Args) != string(want.Args) {
			t.Errorf("%s is read as %+v, %v", text, said, err)
		}
	}
	for _, text := range []string{`{"decision":"deny it"}`, `{"decision"`, `{"hookSpecificOutput":{"permissionDecision":"maybe"}}`, `{"hookSpecificOutput":{"updatedInput":[1]}}`} {
		if said, err := decide(readForeign, ToolBefore, ending{stdout: []byte(text)}); said.Decision != No || err == nil {
			t.Errorf("%s lets pass: %+v, %v", text, said, err)
		}
	}
	if string(withForeignPath(json.RawMessage(`{"path":"a.go","x":"<&>"}`), "/d")) != `{"file_path":"/d/a.go","path":"a.go","x":"<&>"}` {
		t.Error(string(withForeignPath(json.RawMessage(`{"path":"a.go","x":"<&>"}`), "/d")))
	}
}
