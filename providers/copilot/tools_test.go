package copilot_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
)

var tools = []providers.ToolSpec{
	{Name: "alpha", Doc: "first", Schema: json.RawMessage(`{"type":"object","properties":{"x":{"type":"integer"}}}`)},
	{Name: "beta", Doc: "second", Schema: json.RawMessage(`{"type":"object","properties":{"x":{"type":"integer"}}}`)},
	// This tool has the name of one of the CLI's own tools.
	{Name: "grep", Doc: "third", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
}

func TestParallelCallsAreOneRound(t *testing.T) {
	server := behind(t,
		modeltest.Text("Let me see.").Append(modeltest.Calls(
			modeltest.Call{Name: "alpha", Args: `{"x":76561197960287930123}`}, modeltest.Call{Name: "beta", Args: `{"x":2}`})),
		modeltest.Calls(modeltest.Call{Name: "grep", Args: `{}`}),
		modeltest.Text("Done."),
	)
	model := asks(t, server)
	ask := question(user("go"))
	ask.Tools = tools
	var rounds [][]string
	// Each round comes with a reply, and its results go with the next question.
	turns := 0
	var reply providers.Reply
	for {
		var err error
		if reply, err = model.Respond(within(t), ask, discard); err != nil {
			t.Fatal(err)
		}
		turns += reply.Usage.Turns
		if len(reply.Calls) == 0 {
			break
		}
		var round []string
		ask.Messages = append(ask.Messages, messages.Message{Role: messages.Assistant, Text: reply.Text, Calls: reply.Calls})
		for _, call := range reply.Calls {
			round = append(round, call.Name+string(call.Args))
			result := messages.ToolResult{Call: call.ID, Name: call.Name, Text: "result of " + call.Name + strings.Repeat(" long", 10000)}
			ask.Messages = append(ask.Messages, messages.Message{Role: messages.Tool, Result: result})
		}
		rounds = append(rounds, round)
	}
	if want := [][]string{{`alpha{"x":76561197960287930123}`, `beta{"x":2}`}, {`grep{}`}}; !reflect.DeepEqual(rounds, want) {
		t.Errorf("rounds are %v, want %v", rounds, want)
	}
	if reply.Text != "Done." || turns != 3 {
		t.Errorf("reply is %+v", reply)
	}
	last := server.Requests()[2].Messages
	for i, name := range map[int]string{3: "alpha", 4: "beta", 6: "grep"} {
		if got := last[i].Result.Text; got != "result of "+name+strings.Repeat(" long", 10000) {
			t.Errorf("message %d is %.100q (%d bytes)", i, got, len(got))
		}
	}
}

func TestCallsComeWithTheReplyAndResultsWithTheNextQuestion(t *testing.T) {
	server := behind(t,
		modeltest.Text("Wait.").Append(modeltest.Calls(modeltest.Call{Name: "alpha", Args: `{"x":1}`}, modeltest.Call{Name: "nosuch", Args: `{}`})),
		modeltest.Calls(modeltest.Call{Name: "beta", Args: `{"x":2}`}),
		modeltest.Text("Done."),
	)
	model := asks(t, server)
	next := question(user("go"))
	next.Tools = tools[:1]
	reply := ask(t, model, next)
	if len(reply.Calls) != 1 || reply.Calls[0].Name != "alpha" || reply.Text != "Wait." || reply.Finish != providers.Called {
		t.Fatalf("reply is %+v", reply)
	}
	// The tool made another one known, so the next request has both.
	next.Tools = tools[:2]
	next.Messages = append(next.Messages, messages.Message{Role: messages.Assistant, Text: reply.Text, Calls: reply.Calls},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: reply.Calls[0].ID, Name: "alpha", Text: "one"}})
	if reply = ask(t, model, next); len(reply.Calls) != 1 || reply.Calls[0].Name != "beta" {
		t.Fatalf("reply is %+v", reply)
	}
	next.Messages = append(next.Messages, messages.Message{Role: messages.Assistant, Calls: reply.Calls},
		messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: reply.Calls[0].ID, Name: "beta", Text: "two"}})
	if reply = ask(t, model, next); reply.Text != "Done." || reply.Usage.Turns != 1 {
		t.Errorf("reply is %+v", reply)
	}
	want := []string{
		"user: go", `assistant: Wait.<alpha {"x":1}><nosuch {}>`, "tool: one",
		"tool: Tool 'nosuch' does not exist. Available tools that can be called are alpha.", `assistant: <beta {"x":2}>`, "tool: two",
	}
	if got := spoken(server); !slices.Equal(got, want) {
		t.Errorf("the last request says %q", got)
	}
}
