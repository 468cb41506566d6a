package hooks

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/persistence/settings"
)

// What each end and each answer of a hook means at every event, in both forms.
func TestWhatEachAnswerMeansAtEachEvent(t *testing.T) {
	var out strings.Builder
	show := func(read reading, event Event, end ending) {
		said, err := decide(read, event, end)
		result := "-"
		if said.Result != nil {
			result = fmt.Sprintf("%q", *said.Result)
		}
		fmt.Fprintf(&out, "  %s: %q because %q, args %s, result %s, context %q, fault %v\n", event, said.Decision, said.Reason, said.Args, result, said.Context, err)
	}
	ends := []ending{{err: errors.New("it took too long")}, {code: 1}, {code: 1, stderr: "oops"}, {code: 2}, {code: 2, stderr: "no way"}, {code: 2, stdout: []byte(`{"decision":"allow","reason":"fine"}`)}}
	for _, text := range []string{
		"", " \n", "plain words", "[]", `{}`, `{"decision":"allow"}`, `{"decision":"deny"}`, `{"decision":"deny","reason":" because "}`, `{"decision":"ask","reason":"look"}`, `{"decision":"maybe"}`, `{"decision":7}`, `{"reason":7}`,
		`{"args":{"a":1}}`, `{"args":[1]}`, `{"result":"new"}`, `{"result":{"a":1}}`, `{"context":"words"}`, `{"context":{}}`, `{"odd":1}`, `{"decision":"allow","decision":"deny"}`, `{"decision":"allow"} more`, `{"decision":`, "{\"context\":\"\xff\"}",
	} {
		ends = append(ends, ending{stdout: []byte(text)})
	}
	for _, end := range ends {
		fmt.Fprintf(&out, "# %v, code %d, %q, %q\n", end.err, end.code, end.stdout, end.stderr)
		for _, event := range []Event{ToolBefore, ToolAfter, SessionStart, AgentStart, AgentStop, SessionCompact} {
			show(read, event, end)
		}
	}
	for _, text := range []string{
		"", "plain words", "[1]", `{`, `{}`, `{"continue":false,"stopReason":"enough"}`, `{"continue":true,"decision":"block","reason":"no"}`, `{"decision":"approve"}`,
		`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, `{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"look"}}`, `{"hookSpecificOutput":{"permissionDecision":"odd"}}`,
		`{"hookSpecificOutput":{"additionalContext":"words"}}`, `{"hookSpecificOutput":{"updatedInput":{"file_path":"/a","x":1}}}`, `{"hookSpecificOutput":{"updatedInput":[1]}}`, `{"unknown":1}`,
	} {
		fmt.Fprintf(&out, "# in the form of Claude Code: %q\n", text)
		for _, event := range []Event{ToolBefore, ToolAfter, SessionStart, SessionResume, SessionClear, AgentStart, AgentStop} {
			show(readForeign, event, ending{stdout: []byte(text)})
		}
	}
	for _, name := range settings.HookEvents {
		event := Event(name)
		crashed := Crashed(event, errors.New("a mistake"))
		fmt.Fprintf(&out, "%s: gate %t, answers %t; crashed %q %q %q\n", event, event.Gate(), event.answers(), crashed.Decision, crashed.Reason, crashed.Problems)
	}
	for _, args := range []string{`{"path":"a"}`, `{"path":"/a"}`, `{"path":7}`, `{"path":"a","file_path":"b"}`, `[1]`, `{`, `{"x":"<&>"}`} {
		with := withTheirs([]byte(args), "/d")
		fmt.Fprintf(&out, "args %s: theirs %s, in no directory %s, back %s\n", args, with, withTheirs([]byte(args), ""), withoutTheirs(with))
	}
	goldentest.Hold(t, "answers.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// Which hooks hear of what, in which order, and what is said of names that nothing has.
func TestWhichHooksHear(t *testing.T) {
	resolve := func(name string) (string, bool) {
		own, known := map[string]string{"Bash": "run_command", "run_command": "run_command", "tree": "tree"}[name]
		return own, known
	}
	set, problems := New(map[string][]settings.Hook{
		string(ToolBefore): {{Run: []string{"a", "b"}, Match: "Bash| tree"}, {Run: []string{"c"}, Match: "*"}, {URL: "http://d", Match: "git_*|mcp_x", Timeout: time.Second, Sandbox: true}, {Run: []string{"e"}, Match: "gone|tree"}},
		string(ToolAfter):  {{Run: []string{"f"}}},
		string(AgentStop):  {{Run: []string{"g"}}},
	}, resolve)
	told := func(list []Hook) string {
		var all []string
		for _, hook := range list {
			all = append(all, fmt.Sprintf("%s(%s)", hook, hook.Match()))
		}
		return strings.Join(all, " ")
	}
	if len(problems) != 1 || problems[0].Error() != "hooks: "+string(ToolBefore)+", number 4: no tool is called gone, so that name matches nothing (marvin tools lists them)" {
		t.Errorf("problems: %v", problems)
	}
	for _, row := range []struct{ got, want string }{
		{told(set.For(ToolBefore, "run_command")), "a b(run_command|tree) c()"},
		{told(set.For(ToolBefore, "tree")), "a b(run_command|tree) c() e(gone|tree)"},
		{told(set.For(ToolBefore, "git_log")), "c() http://d(git_*|mcp_x)"},
		{told(set.For(ToolBefore, "mcp_x")), "c() http://d(git_*|mcp_x)"},
		{told(set.For(ToolAfter, "tree")), "f()"},
		{told(set.For(SessionStart, "")), ""},
		{told(set.Calls().All()), "a b(run_command|tree) c() http://d(git_*|mcp_x) e(gone|tree) f()"},
		{told(set.With([]Hook{{Event: ToolAfter, Run: []string{"z"}}}).For(ToolAfter, "x")), "f() z()"},
		{told(set.With(nil).For(ToolAfter, "x")), "f()"},
		{told((*Set)(nil).For(ToolAfter, "x")), ""},
		{told((*Set)(nil).All()), ""},
		{told((*Set)(nil).Calls().All()), ""},
		{told((*Set)(nil).With([]Hook{{Event: ToolAfter, Run: []string{"z"}}}).All()), "z()"},
	} {
		if row.got != row.want {
			t.Errorf("%s, want %s", row.got, row.want)
		}
	}
	first, third := set.For(ToolBefore, "tree")[0], set.For(ToolBefore, "git_log")[1]
	if first.Timeout != defaultTimeout || first.Held || first.Source != "config.yaml" || third.Timeout != time.Second || !third.Held {
		t.Errorf("%+v, %+v", first, third)
	}
	if none, problems := New(nil, resolve); none != nil || problems != nil {
		t.Errorf("without any: %v, %v", none, problems)
	}
	if long := clip(strings.Repeat("ä", 200)); long != strings.Repeat("ä", 100)+"…" || clip(strings.Repeat("a", 200)) != strings.Repeat("a", 200) {
		t.Errorf("clipped to %d", len(long))
	}
}
