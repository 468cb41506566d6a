package followup

import (
	"strings"

	"marvin/messages"
)

// Exchange is a request from the user, the resulting calls, and the answer.
type Exchange struct {
	Request string
	Steps   []Step
	Said    string // the text of the answer
}

// Step is a call and its result.
type Step struct {
	Call   messages.ToolCall
	Result messages.ToolResult
}

// Exchanges divides a conversation into exchanges, the oldest first.
func Exchanges(list []messages.Message) []Exchange {
	var all []Exchange
	for _, message := range list {
		switch {
		case message.Role == messages.User:
			all = append(all, Exchange{Request: message.Text})
		case len(all) == 0:
		case message.Role == messages.Tool:
			all[len(all)-1].addResult(message.Result)
		default:
			last := &all[len(all)-1]
			last.Said = message.Text
			for _, call := range message.Calls {
				last.Steps = append(last.Steps, Step{Call: call})
			}
		}
	}
	return all
}

func (e *Exchange) addResult(result messages.ToolResult) {
	for i := range e.Steps {
		if e.Steps[i].Call.Name == result.Name && e.Steps[i].Result.Name == "" {
			e.Steps[i].Result = result
			return
		}
	}
}

// EndsWithQuestion reports whether the first line of an answer ends with a question mark.
func EndsWithQuestion(said string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return strings.HasSuffix(strings.TrimSpace(first), "?")
}
