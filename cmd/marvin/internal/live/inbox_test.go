package live_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/cmd/marvin/internal/live"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

type noArgs struct{}

// wonder is a tool that asks the user where, and waits so long for the answer.
func wonder(wait time.Duration) tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: "wonder", Doc: "Asks where.", Timeout: time.Hour, Pool: tools.Agent,
		Run: func(ctx context.Context, env tools.Env, _ noArgs) (tools.Output, error) {
			reply, err := env.Ask(ctx, tools.Inquiry{Kind: messages.AskChoice, Title: "Where?", Wait: wait, Questions: []messages.Question{{Text: "Where?", Free: true, Default: []string{"here"}}}})
			if err != nil {
				return tools.Output{}, err
			}
			return tools.Output{Text: reply.Chosen[0].String()}, nil
		},
	})
}

// An answer behind the deadline is refused, also in a window that did not hear of the deadline yet;
// one before it counts.
func TestAnAnswerBehindTheDeadlineIsRefused(t *testing.T) {
	for _, late := range []bool{true, false} {
		wait := time.Hour
		if late {
			wait = 10 * time.Millisecond
		}
		server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
			if last := request.Last(); last.Role == messages.Tool {
				return modeltest.Text("It is " + last.Result.Text)
			}
			return modeltest.Calls(modeltest.Call{Name: "wonder"})
		})
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Tools: []tools.Tool{wonder(wait)}, Policy: &actors.Policy{Coding: true, Person: true},
			Begin: func(begin *actors.Conversation) { begin.Windows = true },
		})
		page, err := tree.Client.Window("page 1", messages.RoleAnswer, false)
		if err != nil {
			t.Fatal(err)
		}
		defer page.Close()
		tree.Client.Send(messages.Say("go"))
		ctx, cancel := context.WithTimeout(t.Context(), actorstest.Patience)
		defer cancel()
		asked := actorstest.Until[messages.Asked](tree)
		if _, err := page.Next(ctx); err != nil { // it is up to date until now
			t.Fatal(err)
		}
		want := "It is there"
		if late {
			actorstest.Until[messages.Answered](tree)
			want = "It is here"
		}
		answer := messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Digest: asked.Fingerprint(), Chosen: []messages.Chosen{{Text: "there"}}}
		err = live.Answer(ctx, page, answer)
		if late != (err != nil && strings.Contains(err.Error(), "it was settled")) || !late && err != nil {
			t.Errorf("late %v: %v", late, err)
		}
		if turn := tree.Finish(); turn.Ended.Text != want {
			t.Errorf("late %v: %q", late, turn.Ended.Text)
		}
	}
}
