package actors_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/agents"
	"marvin/tools/ask"
)

// linger is a tool with a very short time limit. It asks the user if asks is set.
func linger(asks bool) tools.Tool {
	return tools.New(tools.Def[sayArgs]{
		Name: "linger", Doc: "Takes its time.", Timeout: 20 * time.Millisecond, Pool: tools.Agent, Places: func(tools.Env, sayArgs) []tools.Place { return nil },
		Run: func(ctx context.Context, env tools.Env, _ sayArgs) (tools.Output, error) {
			if asks {
				reply, err := env.Ask(ctx, where)
				return tools.Output{Text: string(reply.Choice)}, err
			}
			<-ctx.Done()
			return tools.Output{}, ctx.Err()
		},
	})
}

var lingering = modeltest.Call{Name: "linger", Args: map[string]string{"text": "x"}}

// The time in which the user thinks does not count for the call.
func TestUserWaitDoesNotCountForCall(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: answers(t, lingering), Tools: []tools.Tool{linger(true)}, Policy: talking})
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	for since := time.Now(); time.Since(since) < 200*time.Millisecond; { // ten times the limit of the call
		tree.Client.Send(messages.Attend{Ask: asked.Ask})
		actorstest.ReadUntil[messages.Asked](tree)
	}
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	if turn := tree.Finish(); turn.Ended.Text != "yes" {
		t.Errorf("%+v\n%s", turn.Ended, actorstest.Lines(turn.Events))
	}
}

func TestCallTimeout(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{Server: answers(t, lingering), Tools: []tools.Tool{linger(false)}, Policy: talking})
	ended := actorstest.TurnEvents[messages.ToolEnded](tree.Prompt("go"))
	if len(ended) != 1 || ended[0].Status != messages.TimedOut || strings.Contains(ended[0].Text, "did not stop") {
		t.Errorf("%+v", ended)
	}
}

func TestTheQuestionOfASubAgentEndsWithIt(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		switch last := request.Last(); {
		case last.Role == messages.Tool:
			return modeltest.Text("done")
		case last.Text == "go":
			return modeltest.Calls(modeltest.Call{Name: "launch_agent", Args: map[string]any{"tasks": []map[string]string{{"prompt": "ask", "name": "scout"}}}})
		}
		return modeltest.Calls(wonders("Where?", "files"))
	})
	policy := actors.Policy{Coding: true, Person: true}
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: t.TempDir(), Tools: append(agents.New(nil, nil).Tools(), ask.Tools()...), Policy: &policy})
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Cancel{})
	answered := actorstest.ReadUntil[messages.Answered](tree)
	if turn := tree.Finish(); answered.Ask != asked.Ask || turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("%+v, %+v", answered, turn.Ended)
	}
}
