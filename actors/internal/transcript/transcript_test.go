package transcript_test

import (
	"reflect"
	"testing"

	"marvin/actors/internal/transcript"
	"marvin/messages"
)

func TestIdsAreMadeWhereMissingOrRepeated(t *testing.T) {
	history := []messages.Message{
		{Role: messages.User, Text: "before"},
		{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "a", Name: "tree"}}},
		{Role: messages.Tool, Result: messages.ToolResult{Call: "a"}},
	}
	turn := transcript.New(history, "t2", messages.Message{Text: "now"})
	named := turn.Name([]messages.ToolCall{{ID: "b"}, {}, {ID: "a"}, {ID: "b"}})
	var ids []string
	for _, call := range named {
		ids = append(ids, call.ID)
	}
	if want := []string{"b", "call_t2_1", "call_t2_2", "call_t2_3"}; !reflect.DeepEqual(ids, want) {
		t.Errorf("ids %v, want %v", ids, want)
	}
}

func TestARequestIsAPrefixOfTheNext(t *testing.T) {
	turn := transcript.New([]messages.Message{{Role: messages.User, Text: "before"}, {Role: messages.Assistant, Text: "yes"}}, "t1", messages.Message{Text: "now"})
	first := turn.Messages()
	calls := turn.Name([]messages.ToolCall{{Name: "tree"}, {Name: "git_status"}})
	turn.AddRound(messages.Message{Text: "looking", Calls: calls}, []messages.Message{{Result: messages.ToolResult{Call: calls[0].ID, Text: "."}}, {Result: messages.ToolResult{Call: calls[1].ID, Text: "clean"}}})
	second := turn.Messages()
	if !reflect.DeepEqual(first, second[:len(first)]) {
		t.Error("the beginning changed")
	}
	if len(second) != len(first)+3 || second[len(first)+1].Result.Call != calls[0].ID {
		t.Errorf("the round is %v", second[len(first):])
	}
}

func TestIncompleteTurnInTranscript(t *testing.T) {
	cases := []struct {
		name    string
		outcome messages.Outcome
		said    string
		rounds  bool
		want    []string
	}{
		{"failed before a word", messages.Failed, "", false, nil},
		{"cancelled before a word", messages.Cancelled, "", false, []string{"ask", "[Cancelled]"}},
		{"cancelled in the middle", messages.Cancelled, "half an", false, []string{"ask", "half an\n[Cancelled]"}},
		{"broke off after tools", messages.Failed, "", true, []string{"ask", "", "", "[The answer broke off.]"}},
	}
	for _, c := range cases {
		turn := transcript.New([]messages.Message{{Role: messages.User, Text: "old"}}, "t", messages.Message{Text: "ask"})
		if c.rounds {
			calls := turn.Name([]messages.ToolCall{{Name: "tree"}})
			turn.AddRound(messages.Message{Calls: calls}, []messages.Message{{Result: messages.ToolResult{Call: calls[0].ID}}})
		}
		turn.Close(c.outcome, messages.Message{Text: c.said})
		var texts []string
		for _, message := range turn.New() {
			texts = append(texts, message.Text)
		}
		if !reflect.DeepEqual(texts, c.want) {
			t.Errorf("%s: %q, want %q", c.name, texts, c.want)
		}
	}
}

func TestNewsStandInFrontOfThePromptAndAreCommitted(t *testing.T) {
	history := []messages.Message{{Role: messages.User, Text: "earlier"}, {Role: messages.Assistant, Text: "yes"}}
	turn := transcript.New(history, "t2", messages.Message{Text: "now"})
	turn.AddNews(messages.Message{Text: "the disk is full"}, false)
	turn.Close(messages.Failed, messages.Message{})
	added := turn.New()
	if len(added) != 1 || added[0].Role != messages.System || added[0].Text != "the disk is full" {
		t.Errorf("a turn without an answer adds %+v", added)
	}
	turn = transcript.New(history, "t3", messages.Message{Text: "now"})
	turn.AddNews(messages.Message{Text: "the disk is full"}, false)
	turn.AddAnswer(messages.Message{Text: "oh"})
	if added = turn.New(); len(added) != 3 || added[1].Text != "now" || turn.Messages()[turn.Base()].Text != "now" {
		t.Errorf("it adds %+v, with the turn at %d", added, turn.Base())
	}
}

// The pieces that Take returns make up the whole turn, whatever happened in between.
func TestTakenPiecesMakeUpTheTurn(t *testing.T) {
	text := func(role messages.Role, text string) messages.Message {
		return messages.Message{Role: role, Text: text}
	}
	history := []messages.Message{text(messages.User, "before"), text(messages.Assistant, "yes")}
	var got, earlier []messages.Message
	for name, script := range map[string]func(*transcript.Turn, func()){
		"rounds": func(turn *transcript.Turn, take func()) {
			take()
			turn.AddAnswer(messages.Message{Text: "a"})
			turn.AddRequest(messages.Message{Text: "b"})
			take()
			take()
		},
		"news before the prompt": func(turn *transcript.Turn, take func()) {
			take()
			turn.AddNews(messages.Message{Text: "news"}, false)
			take()
			turn.AddNews(messages.Message{Text: "late"}, true)
			take()
		},
		"a joined answer": func(turn *transcript.Turn, take func()) {
			turn.AddAnswer(messages.Message{Text: "half "})
			turn.AddRequest(messages.Message{Text: "go on"})
			take()
			turn.Join(messages.Message{Text: "whole"})
			take()
		},
		"forgotten": func(turn *transcript.Turn, take func()) {
			take()
			turn.Close(messages.Failed, messages.Message{})
			take()
		},
		"compacted": func(turn *transcript.Turn, take func()) {
			turn.AddAnswer(messages.Message{Text: "a"})
			take()
			turn.Replace([]messages.Message{text(messages.System, "summary"), text(messages.User, "now"), text(messages.Assistant, "a")}, 1)
			take()
			turn.AddAnswer(messages.Message{Text: "b"})
			take()
		},
	} {
		t.Run(name, func(t *testing.T) {
			turn := transcript.New(history, "t2", messages.Message{Text: "now"})
			got, earlier = nil, history
			script(turn, func() {
				before, replaced, offset, fresh := turn.Take()
				if replaced {
					earlier = before
				}
				got = append(got[:offset:offset], fresh...)
			})
			if all := append(earlier[:len(earlier):len(earlier)], got...); !reflect.DeepEqual(all, turn.Messages()) {
				t.Errorf("taken\n%v\nof\n%v", all, turn.Messages())
			}
		})
	}
}
