package tui_test

import (
	"strings"
	"testing"

	"marvin/messages"
)

// Among several windows, the titles show which conversation works and which one has a question.
func TestTheWindowIsCalledAfterTheConversation(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 14)
	calls := func(title string) {
		t.Helper()
		p.until("title "+title, func(frame) bool {
			written := p.wire.written()
			last := strings.LastIndex(written, "\x1b]2;")
			return last >= 0 && strings.HasPrefix(written[last:], "\x1b]2;"+title+"\x1b\\")
		})
	}
	talk.say(messages.Opened{Profile: "default", Provider: "test", Model: "m", Dir: "/home/me/garden\x1b]2;owned\a"})
	calls("garden]2;owned · Marvin")
	talk.say(messages.TurnStarted{Prompt: "p"})
	calls("… garden]2;owned · Marvin")
	talk.say(messages.Asked{Ask: "1", Tool: "run_command", Title: "Run it?", Choices: []messages.Choice{messages.Yes, messages.No}})
	calls("? garden]2;owned · Marvin")
	talk.say(messages.Answered{Ask: "1"}, messages.TurnEnded{Outcome: messages.Completed})
	calls("garden]2;owned · Marvin")
}
