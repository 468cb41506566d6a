package actors_test

import (
	"testing"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

// How long a model thinks is a matter of the conversation: it is told from the next turn
// on, not at all without a wish, and a word that there is not changes nothing.
func TestIssue19ThinkingIsChangedInAConversation(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Policy: person()})
	for i, step := range []struct{ say, want string }{{"", ""}, {"high", "reasoning high"}, {"huge", "reasoning high"}, {"off", "reasoning none"}, {"auto", ""}} {
		if step.say != "" {
			tree.Client.Send(messages.SetModel{Effort: step.say})
			actorstest.Until[messages.Notice](tree)
		}
		tree.Prompt("hi")
		if got := server.Requests()[i].Effort; got != step.want {
			t.Errorf("after %q the request has effort %q, want %q", step.say, got, step.want)
		}
	}
}
