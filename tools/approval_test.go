package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
)

type lineArgs struct {
	Command string `json:"command" doc:"The line"`
}

// deed returns a tool with an effect. asks means that the tool itself wants approval, steers that
// it only changes the conversation.
func deed(effect tools.Effect, asks, steers bool) tools.Tool {
	def := tools.Def[lineArgs]{
		Name: "deed", Doc: "Does it.", Effect: effect, Steers: steers,
		Run: func(context.Context, tools.Env, lineArgs) (tools.Output, error) { return tools.Output{}, nil },
	}
	if asks {
		def.Confirm = func(tools.Env, lineArgs) (string, string) { return "Do it?", "all of it" }
	}
	if effect == tools.Irreversible {
		def.Command = func(in lineArgs) string { return in.Command }
	}
	return tools.New(def)
}

// judged returns the decision about a call: r(uns), a(sks), A(sks firmly) or d(enied).
func judged(t *testing.T, tool tools.Tool, line string, mode messages.Approval, person bool, rules *tools.Permissions) string {
	t.Helper()
	args, err := json.Marshal(lineArgs{line})
	if err != nil {
		t.Fatal(err)
	}
	call, err := tool.Decode(args)
	if err != nil {
		t.Fatal(err)
	}
	verdict := rules.Judge(call, tools.Env{Dir: "/project", Home: "/home/me", Approval: mode, Person: person}, args, call.Confirm != nil)
	switch {
	case verdict.Decision == tools.Deny:
		return "d"
	case verdict.Decision == tools.Ask && verdict.Firm:
		return "A"
	case verdict.Decision == tools.Ask:
		return "a"
	}
	return "r"
}

// The table has each effect in each mode, with and without a user: everything that a mode decides.
func TestApprovalDecides(t *testing.T) {
	some, err := tools.NewPermissions([]string{"deed(yes *)"}, []string{"deed(ask *)"}, []string{"deed(no *)"})
	if err != nil {
		t.Fatal(err)
	}
	modes := []messages.Approval{messages.ApprovePlan, messages.ApproveAsk, messages.ApproveEdits, messages.ApproveAuto, messages.ApproveAll, ""}
	for _, row := range []struct {
		what           string
		tool           tools.Tool
		line           string
		person, nobody string // by mode, in the order above
	}{
		{"reads", deed(tools.Reads, false, false), "x", "rrrrrr", "rrrrrr"},
		{"reads, and asks", deed(tools.Reads, true, false), "x", "aaarra", "dddrrr"},
		{"writes", deed(tools.Writes, false, false), "x", "darrrr", "ddrrrr"},
		{"writes, and asks", deed(tools.Writes, true, false), "x", "daarra", "dddrrr"},
		{"sends", deed(tools.Outside, false, false), "x", "darrrr", "ddrrrr"},
		{"steers", deed(tools.Writes, false, true), "x", "rrrrrr", "rrrrrr"},
		{"steers, and asks", deed(tools.Writes, true, true), "x", "aaarra", "dddrrr"},
		{"a command", deed(tools.Irreversible, true, false), "make test", "daarra", "dddrrr"},
		{"one that cannot be undone", deed(tools.Irreversible, true, false), "git push --force", "dAAArA", "ddddrd"},
		{"one that cannot be read, and may be denied", deed(tools.Irreversible, true, false), "echo $(", "dAAAAA", "dddddd"},
		{"one that a rule allows", deed(tools.Irreversible, true, false), "yes it", "drrrrr", "drrrrr"},
		{"one that a rule asks about", deed(tools.Irreversible, true, false), "ask it", "dAAAAA", "dddddd"},
		{"one that a rule denies", deed(tools.Irreversible, true, false), "no way", "dddddd", "dddddd"},
		{"a denied one among others", deed(tools.Irreversible, true, false), "yes it && no way", "dddddd", "dddddd"},
	} {
		for n, mode := range modes {
			for _, person := range []bool{true, false} {
				want := row.nobody[n : n+1]
				if person {
					want = row.person[n : n+1]
				}
				if got := judged(t, row.tool, row.line, mode, person, some); got != want {
					t.Errorf("%s in mode %q, person %v: %s, want %s", row.what, mode, person, got, want)
				}
			}
		}
	}
}

func TestApprovalSaysWhyNot(t *testing.T) {
	for mode, want := range map[messages.Approval][]string{
		messages.ApprovePlan: {"not allowed while the user wants a plan", "end your answer with the plan", "/approve edits"},
		messages.ApproveAsk:  {"the approval mode is ask", "without a", "--approve auto"},
	} {
		tool := deed(tools.Writes, false, false)
		call, err := tool.Decode([]byte(`{"command":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		verdict := (*tools.Permissions)(nil).Judge(call, tools.Env{Approval: mode}, nil, false)
		refused := fmt.Sprint(tools.Refused(verdict, call))
		if strings.Contains(refused, "\n.") {
			t.Errorf("%s: a line of nothing in %s", mode, refused)
		}
		for _, part := range want {
			if !strings.Contains(refused, part) {
				t.Errorf("%s: %q is not in %s", mode, part, refused)
			}
		}
	}
}

func TestTheKeyNeverApprovesAll(t *testing.T) {
	seen := map[messages.Approval]bool{}
	for mode := messages.ApproveEdits; !seen[mode]; mode = mode.Next() {
		seen[mode] = true
	}
	if len(seen) != 4 || seen[messages.ApproveAll] || messages.ApproveAll.Next() != messages.ApproveEdits {
		t.Errorf("%v", seen)
	}
}

func TestArgumentsAreShownToBeRead(t *testing.T) {
	for args, want := range map[string]string{
		`{"content":"a\nb\n","path":"x.go","all":true}`: "all: true\npath: x.go\ncontent:\n  a\n  b",
		`{"path":" x"}`:          `path: " x"`,
		`{"path":"a\u202eb"}`:    "path: a‹U+202E›b",
		`{"list":["a",{"b":1}]}`: `list: ["a",{"b":1}]`,
		`["x"]`:                  `["x"]`,
		`{"path`:                 `{"path`,
		`{}`:                     `{}`,
	} {
		if got := tools.ShowArgs([]byte(args)); got != want {
			t.Errorf("%s: %q", args, got)
		}
	}
}
