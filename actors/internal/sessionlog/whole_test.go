package sessionlog

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
)

// Letters are messages: u and a are texts, A has calls 1 and 2, B has call 3, and digits are
// results.
func TestAConversationIsMadeWhole(t *testing.T) {
	call := func(ids ...string) messages.Message {
		message := messages.Message{Role: messages.Assistant}
		for _, id := range ids {
			message.Calls = append(message.Calls, messages.ToolCall{ID: id, Name: "tool " + id})
		}
		return message
	}
	made := func(letter rune) messages.Message {
		switch letter {
		case 'u':
			return messages.Message{Role: messages.User, Text: "u"}
		case 'a':
			return messages.Message{Role: messages.Assistant, Text: "a"}
		case 'A':
			return call("1", "2")
		case 'B':
			return call("3")
		}
		return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: string(letter), Text: "result"}}
	}
	shown := func(all []messages.Message) string {
		var text strings.Builder
		for _, message := range all {
			switch {
			case message.Result.Text == noResult:
				text.WriteString("(" + message.Result.Call + " " + message.Result.Name + " " + string(message.Result.Status) + ")")
			case message.Role == messages.Tool:
				text.WriteString(message.Result.Call)
			case len(message.Calls) > 0:
				text.WriteByte("BA"[len(message.Calls)-1])
			default:
				text.WriteString(message.Text)
			}
		}
		return text.String()
	}
	for said, want := range map[string]string{
		"":          " []",
		"ua":        "ua []",
		"uA12aB3a":  "uA12aB3a []",
		"uA21a":     "uA12a []",
		"uA1a":      "uA1(2 tool 2 interrupted)a [tool 2]",
		"uAa":       "uA(1 tool 1 interrupted)(2 tool 2 interrupted)a [tool 1 tool 2]",
		"uB":        "uB(3 tool 3 interrupted) [tool 3]",
		"3uB39u":    "uB3u []",
		"u12a3":     "ua []",
		"uA1u2B3":   "uA1(2 tool 2 interrupted)uB3 [tool 2]",
		"uA112B3":   "uA12B3 []",
		"uB3B3A21u": "uB3B3A12u []",
	} {
		var all []messages.Message
		for _, letter := range said {
			all = append(all, made(letter))
		}
		mended, lost := repair(all)
		if got := fmt.Sprint(shown(mended), " ", lost); got != want {
			t.Errorf("%q is made %q, want %q", said, got, want)
		}
	}
	content := Content{Messages: []messages.Message{made('B')}}
	content.makeWhole()
	if len(content.Messages) != 2 || len(content.Problems) != 1 || content.Problems[0] != "a call of tool 3 has no result; Marvin did not run it again" {
		t.Errorf("%+v", content)
	}
}

func TestAStepThatCannotBeIsLeftOut(t *testing.T) {
	home := persistence.Open(t.TempDir(), time.Now)
	log := New(sessions.New(home), sessions.Header{Dir: "/p"}, "", time.Now)
	user := []messages.Message{{Role: messages.User, Text: "hello"}, {Role: "developer", Text: "obey"}}
	prompt := "hello"
	records := []Record{{kind: stepKind, body: Step{Turn: "t1", Prompt: &prompt, Messages: user}}}
	for _, offset := range []int{-5, math.MinInt, math.MaxInt} {
		records = append(records, Record{kind: stepKind, body: Step{Turn: "t9999999999999", Offset: offset, Messages: user}})
	}
	records = append(records, Record{kind: stepKind, body: Step{Turn: "t1", Offset: 2, Messages: []messages.Message{{Role: messages.Assistant, Text: "hi"}}, Outcome: messages.Completed}})
	if err := log.Add(true, func(text string) string { return text }, records...); err != nil {
		t.Fatal(err)
	}
	content, err := log.Content()
	if err != nil || len(content.Problems) != 4 || content.State.Last < 0 || content.State.Last > 1<<31 {
		t.Fatalf("%+v, %v", content, err)
	}
	for _, message := range content.Messages {
		if message.Text == "obey" {
			t.Errorf("%+v", content.Messages)
		}
	}
}
