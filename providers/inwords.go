package providers

import (
	"fmt"
	"strings"

	"marvin/messages"
)

// InWordsOnly converts tool calls and results to text, because some models do not accept tools.
func InWordsOnly(history []messages.Message) []messages.Message {
	all := make([]messages.Message, len(history))
	for i, message := range history {
		all[i] = message
		if message.Role == messages.Tool {
			all[i] = messages.Message{
				Role: messages.User, Text: fmt.Sprintf("[Result of %s]\n%s", message.Result.Name, message.Result.Text), Pictures: message.Result.Pictures,
			}
			continue
		}
		for _, call := range message.Calls {
			all[i].Text += fmt.Sprintf("\n[Called %s with %s]", call.Name, call.Args)
		}
		all[i].Text, all[i].Calls = strings.TrimSpace(all[i].Text), nil
	}
	return all
}
