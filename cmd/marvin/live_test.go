package main

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

// wonder is a tool that asks the user where, and waits this long for the answer.
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
			Begin: func(begin *actors.Conversation) { begin.SeveralWindows = true },
		})
		page, err := tree.Client.Window("page 1", messages.RoleAnswer, false)
		if err != nil {
			t.Fatal(err)
		}
		defer page.Close()
		tree.Client.Send(messages.Say("go"))
		ctx, cancel := context.WithTimeout(t.Context(), actorstest.Patience)
		defer cancel()
		asked := actorstest.ReadUntil[messages.Asked](tree)
		if _, err := page.Next(ctx); err != nil { // it is up to date until now
			t.Fatal(err)
		}
		want := "It is there"
		if late {
			actorstest.ReadUntil[messages.Answered](tree)
			want = "It is here"
		}
		answer := messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Digest: asked.Fingerprint(), Chosen: []messages.Chosen{{Text: "there"}}}
		err = live.Answer(ctx, page, answer)
		if late != (err != nil && strings.Contains(err.Error(), "it was answered already")) || !late && err != nil {
			t.Errorf("late %v: %v", late, err)
		}
		if turn := tree.Finish(); turn.Ended.Text != want {
			t.Errorf("late %v: %q", late, turn.Ended.Text)
		}
	}
}

// A word that is not a valid answer approves nothing. A name that matches two questions answers
// neither.
func TestOnlyAClearAnswerCounts(t *testing.T) {
	consent := live.Waiting{Name: "20261129-1/c1", Session: "20261129-1", Question: messages.Asked{Ask: "c1", Kind: messages.AskConsent, Title: "Run this?", Choices: []messages.Choice{messages.Yes, messages.No}}}
	choice := live.Waiting{Name: "20261129-2/c1", Session: "20261129-2", Question: messages.Asked{Ask: "c1", Kind: messages.AskChoice, Questions: []messages.Question{{Text: "Go?", Options: []messages.Option{{Label: "Yes"}, {Label: "No"}}, Default: []string{"No"}}}}}
	for word, want := range map[string]messages.Choice{"yes": messages.Yes, "YES": messages.Yes, "no": messages.No, "maybe": "", "n": "", "nope": "", "always": "", "": ""} {
		got, err := consent.Reply(word, "")
		if (want == "") != (err != nil) || err == nil && (got.Choice != want || len(got.Chosen) > 0) {
			t.Errorf("%q is taken as %+v, %v", word, got, err)
		}
	}
	for word, want := range map[string]messages.Chosen{"yes": {Options: []string{"Yes"}}, "no": {Options: []string{"No"}}, "later": {Text: "later"}} {
		if got, err := choice.Reply(word, ""); err != nil || got.Choice != messages.Yes || got.Chosen[0].String() != want.String() {
			t.Errorf("%q is taken as %+v, %v", word, got, err)
		}
	}
	both := []live.Waiting{consent, choice}
	for name, want := range map[string]string{"20261129-1": consent.Name, "20261129-2/c1": choice.Name, "20261129": "", "20261129/c1": "", "": "", "/c1": ""} {
		if got, err := live.FindWaiting(both, name); got.Name != want || (want == "") != (err != nil) {
			t.Errorf("%q names %q, %v", name, got.Name, err)
		}
	}
}
