package conversation_test

import (
	"reflect"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
)

var start = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)

func told(events ...messages.Event) *conversation.State {
	state := &conversation.State{}
	for i, event := range events {
		state.Apply(messages.Envelope{At: start.Add(time.Duration(i) * time.Second), Event: event})
	}
	return state
}

func TestATurnIsCountedAndKept(t *testing.T) {
	s := told(
		messages.Opened{Provider: "ollama", Model: "llama", Profile: "alex", Dir: "/w", Coding: true, Approval: messages.ApproveEdits},
		messages.TurnStarted{Prompt: "look"}, messages.Text{Chunk: "I "}, messages.Text{Chunk: "look."},
		messages.ToolsCalled{Names: []string{"read_file"}},
		messages.ToolStarted{Call: "1", Name: "read_file", Title: "read_file main.go"},
	)
	if !s.Turn.Running || s.Turn.Doing != "read_file" || len(s.Calls) != 1 || s.Calls[0].Title != "read_file main.go" {
		t.Fatalf("turn %+v, calls %v", &s.Turn, s.Calls)
	}
	call := s.Calls[0]
	s.Apply(messages.Envelope{At: start.Add(9 * time.Second), Event: messages.TurnEnded{Outcome: messages.Cancelled, Text: "I look."}})
	if s.Turn.Running || len(s.Calls) != 0 || call.Status != messages.Interrupted || call.Took != 4*time.Second {
		t.Errorf("running %v, calls %v, the call %+v", s.Turn.Running, s.Calls, call)
	}
	if s.Messages != 2 || s.Answer != "I look." || s.Heading() != "look" {
		t.Errorf("%d messages, answer %q, heading %q", s.Messages, s.Answer, s.Heading())
	}
	if len(s.Steps) != 2 || s.Steps[1].Text != "I look." {
		t.Errorf("steps %+v", s.Steps)
	}
}

// A call that never ran is reported once, when it ends.
func TestRefusedCallIsReportedOnce(t *testing.T) {
	s := told(messages.TurnStarted{Prompt: "p"})
	change := s.Apply(messages.Envelope{Event: messages.ToolEnded{Call: "7", Name: "run_command", Status: messages.Denied, Text: "no"}})
	if change.Call == nil || change.Call.Status != messages.Denied || len(s.Calls) != 0 {
		t.Errorf("%+v, running %v", change, s.Calls)
	}
}

func TestQuestionsAreAnsweredInAnyOrderAndEndWithTheTurn(t *testing.T) {
	s := told(messages.Asked{Ask: "a"}, messages.Asked{Ask: "b"}, messages.Asked{Ask: "a", Deadline: start}, messages.Answered{Ask: "b"})
	if len(s.Asked) != 1 || s.Asked[0].Ask != "a" || !s.Asked[0].Deadline.Equal(start) {
		t.Errorf("open %+v", s.Asked)
	}
	s.Apply(messages.Envelope{Event: messages.TurnEnded{}})
	if len(s.Asked) != 0 {
		t.Errorf("still open %+v", s.Asked)
	}
}

func TestQueuedPromptIsMatched(t *testing.T) {
	s := told()
	s.Queue = conversation.Queue{
		{Prompt: messages.Prompt{Text: "same"}, Sent: true},
		{Prompt: messages.Prompt{Text: "same"}, Request: "steer-1", Sent: true},
		{Prompt: messages.Prompt{Text: "same"}},
		{Prompt: messages.Prompt{Text: "other", Steer: true}, Request: "steer-2", Sent: true},
	}
	s.Apply(messages.Envelope{Event: messages.Steered{Request: "steer-1", Prompt: "same"}})
	s.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: "same"}})
	s.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: "same"}}) // a prompt of another window
	s.Apply(messages.Envelope{Event: messages.Withdrawn{Request: "steer-2"}})
	want := conversation.Queue{{Prompt: messages.Prompt{Text: "same"}}, {Prompt: messages.Prompt{Text: "other"}}}
	if len(s.Queue) != 2 || !reflect.DeepEqual(s.Queue[0], want[0]) || !reflect.DeepEqual(s.Queue[1], want[1]) {
		t.Errorf("waiting %+v", s.Queue)
	}
}

func TestAChangeSaysWhatIsNew(t *testing.T) {
	s := told(messages.Opened{Profile: "alex", Dir: "/a", Coding: true, Approval: messages.ApproveEdits})
	apply := func(event messages.Event) conversation.Change { return s.Apply(messages.Envelope{Event: event}) }
	same := messages.ModeChanged{Dir: "/a", Coding: true, Approval: messages.ApproveEdits}
	if change := apply(same); change != (conversation.Change{}) {
		t.Errorf("nothing changed, but %+v", change)
	}
	if change := apply(messages.ModeChanged{Dir: "/b", Approval: messages.ApprovePlan, Profile: "kim"}); !change.Moved || !change.Coding || !change.Approval || !change.Profile || s.Profile != "kim" || s.Dir != "/b" {
		t.Errorf("%+v", change)
	}
	if change := apply(messages.Granted{Grants: []messages.Grant{{Number: 1, Covers: "git status"}}}); change.Grants == "" {
		t.Error("what is allowed from now on is not told")
	}
}

func TestANewConversationHasNothingOfTheOldOne(t *testing.T) {
	s := told(messages.TurnStarted{Prompt: "p"}, messages.Text{Chunk: "x"}, messages.TurnEnded{Text: "x"}, messages.Resumed{ID: "20260501", Title: "of May"},
		messages.PlanChanged{Plan: messages.Plan{Steps: []messages.Step{{Text: "a"}}}})
	s.Queue = conversation.Queue{{Prompt: messages.Prompt{Text: "sent"}, Sent: true}, {Prompt: messages.Prompt{Text: "mine"}}}
	s.Apply(messages.Envelope{Event: messages.Cleared{}})
	if s.Messages != 0 || s.Title != "" || s.Session != "" || s.Answer != "" || len(s.Steps) != 0 || len(s.Plan.Steps) != 0 {
		t.Errorf("%+v", s)
	}
	if len(s.Queue) != 1 || s.Queue[0].Text != "mine" {
		t.Errorf("waiting %+v", s.Queue)
	}
}

// A substitute model answers only for the rest of its turn.
func TestAModelThatTookOverIsThatOfItsTurn(t *testing.T) {
	s := told(messages.Opened{Provider: "groq", Model: "llama"}, messages.TurnStarted{Prompt: "a"}, messages.ModelChanged{Provider: "copilot", Model: "gpt", Why: "groq is silent"})
	if s.Model != "llama" || s.Turn.Model != "gpt" {
		t.Errorf("chosen %s, answering %s", s.Model, s.Turn.Model)
	}
	s.Apply(messages.Envelope{Event: messages.TurnEnded{Text: "x"}})
	s.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: "b"}})
	if s.Turn.Provider != "groq" || s.Turn.Model != "llama" {
		t.Errorf("the next turn is shown as one of %s %s", s.Turn.Provider, s.Turn.Model)
	}
}

// A larger model that took over permanently also answers in later turns, and the limit of the
// earlier model's window is no longer shown.
func TestAModelThatStaysIsThatOfLaterTurns(t *testing.T) {
	s := told(messages.Opened{Provider: "mine", Model: "small"}, messages.TurnStarted{Prompt: "a"}, messages.UsageChanged{Context: messages.Context{Used: 7, Limit: 9}}, messages.TurnEnded{Text: "x"},
		messages.TurnStarted{Prompt: "b"}, messages.ModelChanged{Provider: "mine", Model: "large", Why: "it does not fit", Stays: true})
	if s.Context.Limit != 0 {
		t.Errorf("the window of the other one is shown: %+v", s.Context)
	}
	s.Apply(messages.Envelope{Event: messages.TurnEnded{Text: "y"}})
	s.Apply(messages.Envelope{Event: messages.TurnStarted{Prompt: "c"}})
	if s.Turn.Model != "large" || s.Model != "large" {
		t.Errorf("the next turn is shown as one of %s", s.Turn.Model)
	}
}

func TestLeavingSaysTheCostAndTheWayBack(t *testing.T) {
	if text := told(messages.Opened{}).Farewell("marvin -c"); text != "" {
		t.Errorf("nothing was said, but %q", text)
	}
	s := told(messages.TurnStarted{Prompt: "a"}, messages.TurnEnded{Text: "x", Usage: messages.Usage{Cost: 0.0123, Unpriced: []string{"m"}}})
	if text := s.Farewell("marvin -c"); text != "1 prompt, $0.0123+. To continue it: marvin -c" {
		t.Errorf("%q", text)
	}
	if text := s.Farewell(""); text != "1 prompt, $0.0123+. It was not saved." {
		t.Errorf("%q", text)
	}
	for why, want := range map[messages.ClearedWhy]string{ // after a prompt that cost 0.0123
		"":                      "1 prompt, $0.0123+. To continue it: marvin -c",
		messages.ClearedHandoff: "1 prompt, $0.0123+. To continue it: marvin -c",
		messages.ClearedResume:  "", // the cost is now that of the resumed conversation
		messages.ClearedRewind:  "",
	} {
		s := told(messages.TurnStarted{Prompt: "a"}, messages.TurnEnded{Text: "x", Usage: messages.Usage{Cost: 0.0123, Unpriced: []string{"m"}}}, messages.Cleared{Why: why})
		if text := s.Farewell("marvin -c"); text != want {
			t.Errorf("behind %q: %q, want %q", why, text, want)
		}
	}
	s = told(messages.TurnStarted{Prompt: "a"}, messages.Cleared{}, messages.TurnStarted{Prompt: "b"}, messages.TurnEnded{Text: "x", Usage: messages.Usage{Cost: 0.5}})
	if text := s.Farewell("marvin -c"); text != "2 prompts, $0.5000. To continue it: marvin -c" {
		t.Errorf("%q", text)
	}
	s = told(messages.TurnStarted{Prompt: "a"}, messages.TurnEnded{Text: "x", Usage: messages.Usage{InputTokens: 1200, OutputTokens: 34, Unpriced: []string{"m"}}})
	if text := s.Farewell(""); text != "1 prompt, 1234 tokens of unknown price. It was not saved." {
		t.Errorf("%q", text)
	}
}
