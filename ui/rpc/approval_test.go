package rpc_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

type noteArgs struct {
	Text string `json:"text" doc:"What to note" default:"x"`
}

// changing returns two tools: one makes changes that can be undone, the other always asks.
func changing() []tools.Tool {
	ran := func(context.Context, tools.Env, noteArgs) (tools.Output, error) {
		return tools.Output{Text: "it ran"}, nil
	}
	return []tools.Tool{
		tools.New(tools.Def[noteArgs]{Name: "note", Doc: "Notes.", Core: true, Effect: tools.Writes, Run: ran}),
		tools.New(tools.Def[noteArgs]{
			Name: "destroy", Doc: "Destroys.", Core: true, Effect: tools.Irreversible, Run: ran,
			Confirm: func(tools.Env, noteArgs) (string, string) { return "Destroy it?", "all of it" },
		}),
	}
}

func TestApprovalModesOverTheWire(t *testing.T) {
	told := make(chan []string, 1)
	w, _ := serve(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role != messages.Tool {
			return modeltest.Calls(modeltest.Call{Name: "note"}, modeltest.Call{Name: "destroy"})
		}
		var results []string
		for _, message := range request.Messages[len(request.Messages)-2:] {
			results = append(results, message.Result.Text)
		}
		told <- results
		return modeltest.Text("done")
	}, nil, changing()...)
	for _, row := range []struct {
		mode  messages.Approval
		asked []string
		told  string // the result of both calls, or of the one that asks
	}{
		{messages.ApprovePlan, nil, "while the user wants a plan"},
		{messages.ApproveAsk, []string{"note", "destroy"}, "in their own words: later"},
		{messages.ApproveEdits, []string{"destroy"}, "in their own words: later"},
		{messages.ApproveAuto, nil, "it ran"},
		{messages.ApproveAll, nil, "it ran"},
	} {
		w.send(fmt.Sprintf(`{"type":"set_approval","op":{"mode":%q}}`, row.mode))
		if changed := w.until("mode_changed").Event; changed.Approval != string(row.mode) {
			t.Errorf("%s: the mode is %q", row.mode, changed.Approval)
		}
		w.send(`{"type":"prompt","op":{"text":"go"}}`)
		var asked []string
		for {
			read := w.next()
			if read.Type == "asked" {
				asked = append(asked, read.Event.Tool)
				w.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":"no","text":"later"}}`, read.Event.Ask))
			}
			if read.Type == "turn_ended" {
				break
			}
		}
		results := <-told
		for i, name := range []string{"note", "destroy"} {
			want := row.told
			if len(row.asked) > 0 && !slices.Contains(row.asked, name) {
				want = "it ran"
			}
			if !strings.Contains(results[i], want) {
				t.Errorf("%s: of %s the model got %q", row.mode, name, results[i])
			}
		}
		if !slices.Equal(asked, row.asked) {
			t.Errorf("%s: it asked about %q", row.mode, asked)
		}
	}
	w.send(`{"id":"odd","type":"set_approval","op":{"mode":"yolo"}}`)
	if refused := w.next(); refused.Type != "error" || !strings.Contains(fmt.Sprint(refused), "yolo") {
		t.Errorf("an unknown mode is %+v", refused)
	}
}

func TestGrantIsRevokedOverRPC(t *testing.T) {
	w, _ := serve(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role != messages.Tool {
			return modeltest.Calls(modeltest.Call{Name: "destroy"})
		}
		return modeltest.Text("done")
	}, nil, changing()...)
	turn := func(choice string) (asked int) {
		w.send(`{"type":"prompt","op":{"text":"go"}}`)
		for {
			read := w.next()
			if read.Type == "asked" {
				asked++
				w.send(fmt.Sprintf(`{"type":"answer","op":{"ask":%q,"choice":%q}}`, read.Event.Ask, choice))
			}
			if read.Type == "turn_ended" {
				return asked
			}
		}
	}
	if first, second := turn("always"), turn("no"); first != 1 || second != 0 {
		t.Fatalf("asked %d and %d times", first, second)
	}
	w.send(`{"type":"list_grants"}`)
	listed := w.until("grants").Event
	if len(listed.Grants) != 1 || !strings.Contains(listed.Grants[0].Covers, "destroy") {
		t.Fatalf("%+v", listed.Grants)
	}
	w.send(fmt.Sprintf(`{"type":"revoke","op":{"grant":%d}}`, listed.Grants[0].Number))
	w.until("grants")
	if again := turn("no"); again != 1 {
		t.Errorf("after it was taken back it asked %d times", again)
	}
}
