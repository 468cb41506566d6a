package transcript_test

import (
	"fmt"
	"reflect"
	"testing"

	"marvin/actors/internal/transcript"
	"marvin/messages"
	"marvin/providers/modeltest"
)

func FuzzTurns(f *testing.F) {
	for _, script := range []string{"r0", "r2a", "nr1jf", "arqja", "c", "f", "nc", "r3r3c", "aqjr9f", "qj", "nnr0x", "aaqjj"} {
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script string) {
		var history []messages.Message
		turn := transcript.New(nil, "t0", messages.Message{Text: "prompt"})
		for i, sign := range script[:min(len(script), 100)] {
			before := turn.Messages()
			switch {
			case sign >= '0' && sign <= '9': // a round of this many calls; their ids repeat
				calls := make([]messages.ToolCall, int(sign-'0')%4+1)
				for n := range calls {
					calls[n] = messages.ToolCall{Name: "tree", Args: []byte("{}")}
					if n%2 == 1 {
						calls[n].ID = fmt.Sprint("call", n)
					}
				}
				calls = turn.Name(calls)
				results := make([]messages.Message, len(calls))
				for n, call := range calls {
					results[n].Result = messages.ToolResult{Call: call.ID, Name: call.Name, Text: "result"}
				}
				turn.AddRound(messages.Message{Calls: calls}, results)
			case sign == 'a':
				turn.AddAnswer(messages.Message{Text: "answer"})
			case sign == 'q':
				turn.AddRequest(messages.Message{Text: "go on"})
			case sign == 'j': // an interrupted answer becomes one message
				turn.Join(messages.Message{Text: "rest"})
				before = before[:min(len(before), max(len(turn.Messages())-1, 0))]
			case sign == 'n' && len(turn.Messages()) == turn.Base()+1: // before the first request
				turn.AddNews(messages.Message{Text: "news"}, false)
				before = nil
			case sign == 'l':
				turn.AddNews(messages.Message{Text: "late news"}, true)
			case sign == 'c' || sign == 'f' || sign == 'x':
				turn.Close(map[rune]messages.Outcome{'c': messages.Cancelled, 'f': messages.Failed, 'x': messages.Completed}[sign], messages.Message{})
				history = append(history, turn.New()...)
				if got := turn.Messages(); !reflect.DeepEqual(got, history) && len(got)+len(history) > 0 {
					t.Fatalf("%q: the turn sent %d messages, %d are remembered", script, len(got), len(history))
				}
				turn, before = transcript.New(history, fmt.Sprint("t", i+1), messages.Message{Text: "prompt"}), nil
			}
			now := turn.Messages()
			if len(now) < len(before) || !reflect.DeepEqual(now[:len(before)], before) && len(before) > 0 {
				t.Fatalf("%q: a request does not begin with the one before", script)
			}
			if breaches := modeltest.CheckMessages(now); len(breaches) > 0 {
				t.Fatalf("%q: %v", script, breaches)
			}
		}
	})
}
