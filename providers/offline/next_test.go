package offline_test

import (
	"strings"
	"testing"

	"marvin/messages"
)

// The text after a result has the user's next step, which depends on the status.
func TestTheNextStepBehindAResult(t *testing.T) {
	for _, row := range []struct {
		status     messages.Status
		tool, text string
		want       string
	}{
		{messages.OK, "tree", "a\n\n", "a\n"},
		{"", "tree", "a", "a\n"},
		{messages.Denied, "tree", "no", "no\n\nYou said no, so tree did not run. Nothing was changed.\n"},
		{messages.Forbidden, "tree", "not allowed", "not allowed\n\nThe settings of this run do not allow this.\n"},
		{messages.Forbidden, "tree", "only in coding mode", "only in coding mode\n\nThe settings of this run do not allow this. Start with --working-dir DIRECTORY, or type /code.\n"},
		{messages.Interrupted, "tree", "x", "x\n\nIt was stopped before it finished. Ask again to run it again.\n"},
		{messages.TimedOut, "tree", "x", "x\n\nIt took too long and was stopped. Try again with less work at once.\n"},
		{messages.Crashed, "tree", "x", "x\n\nThis is a fault in Marvin: `marvin log` shows it, and `marvin report` makes a file for a bug report.\n"},
		{messages.ToolError, "tree", "x", "x\n"},
		{messages.ToolError, "gone", "Tell the user to wait.", "Wait.\n"},
	} {
		result := messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "a", Name: row.tool, Text: row.text, Status: row.status}}
		asked := messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "a", Name: row.tool}}}
		reply := ask(t, everything, request("go"), asked, result)
		if reply.Text != row.want || len(reply.Calls) > 0 {
			t.Errorf("%s of %s: %q, want %q", row.status, row.tool, reply.Text, row.want)
		}
	}
	two := []messages.Message{
		request("go"),
		{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "a", Name: "tree"}, {ID: "b", Name: "tree"}}},
		{Role: messages.Tool, Result: messages.ToolResult{Call: "a", Name: "tree", Text: "one", Status: messages.OK}},
		{Role: messages.Tool, Result: messages.ToolResult{Call: "b", Name: "tree", Text: "two", Status: messages.OK}},
	}
	if reply := ask(t, everything, two...); !strings.HasPrefix(reply.Text, "one\n\ntwo\n") {
		t.Errorf("of two: %q", reply.Text)
	}
}

// A German or French request gets its next step in the same language.
func TestTheNextStepIsInTheLanguageOfTheRequest(t *testing.T) {
	for said, want := range map[string]string{
		"zeig mir die Dateien":    "no\n\nDu hast abgelehnt, deshalb wurde tree nicht ausgeführt. Es wurde nichts geändert.\n",
		"montre-moi les fichiers": "no\n\nTu as refusé, donc tree n'a pas été exécuté. Rien n'a été modifié.\n",
	} {
		asked := messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "a", Name: "tree"}}}
		result := messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "a", Name: "tree", Text: "no", Status: messages.Denied}}
		if reply := ask(t, everything, request(said), asked, result); reply.Text != want {
			t.Errorf("%q: %q, want %q", said, reply.Text, want)
		}
	}
}
