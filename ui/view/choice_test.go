package view_test

import (
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

func TestChoicesInARowAreOneLine(t *testing.T) {
	v, window := &view.View{}, &view.Window{}
	effort := func(text string) []messages.Event {
		return []messages.Event{messages.EffortChanged{Effort: text}, messages.Notice{Level: messages.Info, Text: "effort " + text}}
	}
	steps := []struct {
		events []messages.Event
		shown  string
	}{
		{[]messages.Event{messages.Opened{Provider: "a", Model: "m", Approval: messages.ApproveEdits}, messages.ModelChanged{Provider: "a", Model: "m1"}}, "• now asking a m1\n"},
		{[]messages.Event{messages.ModelChanged{Provider: "b", Model: "a much longer name of a model"}}, "• now asking b a much longer name of a\n  model\n"},
		{[]messages.Event{messages.ModelChanged{Provider: "a", Model: "m1"}}, "• now asking a m1\n"},
		{effort("low"), "• now asking a m1\n• effort low\n"},
		{effort("max"), "• now asking a m1\n• effort max\n"},
		{[]messages.Event{messages.Notice{Text: "a job ended"}}, "• now asking a m1\n• effort max\n• a job ended\n"},
		{[]messages.Event{messages.Notice{Text: "a job ended"}}, "• now asking a m1\n• effort max\n• a job ended\n• a job ended\n"},
		{effort("low"), "• now asking a m1\n• effort max\n• a job ended\n• a job ended\n• effort low\n"},
		{[]messages.Event{messages.EffortChanged{Effort: "max"}, messages.Text{Chunk: "so"}, messages.Notice{Text: "else"}}, "• now asking a m1\n• effort max\n• a job ended\n• a job ended\n• effort low\n\n● so\n\n• else\n"},
	}
	for n, step := range steps {
		for _, event := range step.events {
			v.Apply(messages.Envelope{Event: event, At: time.Unix(1, 0)})
		}
		got := ""
		for _, line := range window.Show(v.Blocks, 40, 100, time.Unix(2, 0)) {
			got += line.String() + "\n"
		}
		if got != step.shown {
			t.Errorf("%d: it shows\n%s\nnot\n%s", n, got, step.shown)
		}
	}
}

// While a key steps through approval modes, each one replaces the line of the previous one.
func TestApprovalModesInARowAreOneLine(t *testing.T) {
	v := &view.View{}
	for _, event := range []messages.Event{messages.Opened{Approval: messages.ApproveEdits}, messages.ModeChanged{Approval: messages.ApproveAuto}, messages.ModeChanged{Approval: messages.ApprovePlan}} {
		v.Apply(messages.Envelope{Event: event})
	}
	if want := "Approval mode plan: " + messages.ApprovePlan.Description(); len(v.Blocks) != 1 || v.Blocks[0].Text() != want {
		t.Errorf("%d blocks, the first %q", len(v.Blocks), v.Blocks[0].Text())
	}
}
