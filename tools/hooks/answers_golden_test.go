package hooks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/persistence/settings"
)

func TestHookMatching(t *testing.T) {
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
	if len(problems) != 1 || problems[0].Error() != "\"hooks:\", "+string(ToolBefore)+", hook 4: there is no tool named gone, so the name matches nothing (\"marvin tools\" lists the tools)" {
		t.Errorf("problems: %v", problems)
	}
	for _, row := range []struct{ got, want string }{
		{told(set.Matching(ToolBefore, "run_command")), "a b(run_command|tree) c()"},
		{told(set.Matching(ToolBefore, "tree")), "a b(run_command|tree) c() e(gone|tree)"},
		{told(set.Matching(ToolBefore, "git_log")), "c() http://d(git_*|mcp_x)"},
		{told(set.Matching(ToolBefore, "mcp_x")), "c() http://d(git_*|mcp_x)"},
		{told(set.Matching(ToolAfter, "tree")), "f()"},
		{told(set.Matching(SessionStart, "")), ""},
		{told(set.Calls().All()), "a b(run_command|tree) c() http://d(git_*|mcp_x) e(gone|tree) f()"},
		{told(set.Append([]Hook{{Event: ToolAfter, Run: []string{"z"}}}).Matching(ToolAfter, "x")), "f() z()"},
		{told(set.Append(nil).Matching(ToolAfter, "x")), "f()"},
		{told((*Set)(nil).Matching(ToolAfter, "x")), ""},
		{told((*Set)(nil).All()), ""},
		{told((*Set)(nil).Calls().All()), ""},
		{told((*Set)(nil).Append([]Hook{{Event: ToolAfter, Run: []string{"z"}}}).All()), "z()"},
	} {
		if row.got != row.want {
			t.Errorf("%s, want %s", row.got, row.want)
		}
	}
	first, third := set.Matching(ToolBefore, "tree")[0], set.Matching(ToolBefore, "git_log")[1]
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
