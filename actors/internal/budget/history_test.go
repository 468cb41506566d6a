package budget

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"marvin/messages"
)

// said makes a conversation from a line of signs: u is a request, a an answer, and a digit a round
// of that many calls with their results.
func said(signs string) []messages.Message {
	var all []messages.Message
	for i, sign := range signs {
		switch sign {
		case 'u':
			all = append(all, messages.Message{Role: messages.User, Text: fmt.Sprintf("request %d", i)})
		case 'a':
			all = append(all, messages.Message{Role: messages.Assistant, Text: fmt.Sprintf("answer %d", i)})
		default:
			all = append(all, round(i, int(sign-'0'), func(call int) string { return fmt.Sprintf("result %d.%d", i, call) })...)
		}
	}
	return all
}

func round(number, calls int, result func(call int) string) []messages.Message {
	asked := messages.Message{Role: messages.Assistant, Text: fmt.Sprintf("round %d", number)}
	var results []messages.Message
	for call := range calls {
		id := fmt.Sprintf("c%d_%d", number, call)
		asked.Calls = append(asked.Calls, messages.ToolCall{ID: id, Name: "read_file", Args: json.RawMessage(fmt.Sprintf(`{"path":"f%d.go"}`, number))})
		results = append(results, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: id, Name: "read_file", Text: result(call), Status: messages.OK}})
	}
	return append([]messages.Message{asked}, results...)
}

// outline returns a conversation on one line, for errors.
func outline(all []messages.Message) string {
	var words []string
	for _, message := range all {
		switch {
		case message.Role == messages.Tool:
			words = append(words, ".")
		case isSummary(message):
			words = append(words, "S")
		case len(message.Calls) > 0:
			words = append(words, fmt.Sprint(len(message.Calls)))
		default:
			words = append(words, string(message.Role[:1]))
		}
	}
	return strings.Join(words, "")
}

func contains(all []messages.Message, wanted messages.Message) bool {
	for _, message := range all {
		if reflect.DeepEqual(message, wanted) {
			return true
		}
	}
	return false
}

// plain keeps the signs that [said] knows, and limits their number.
func plain(signs string) string {
	signs = strings.Map(func(r rune) rune {
		if r == 'u' || r == 'a' || r >= '1' && r <= '9' {
			return r
		}
		return -1
	}, signs)
	return signs[:min(len(signs), 200)]
}
