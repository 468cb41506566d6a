package budget

import (
	"marvin/messages"
	"marvin/persistence/chat"
)

// Backup converts all messages of a conversation for [persistence.Profile.BackupContext].
func Backup(all []messages.Message) []chat.ContextMessage {
	lines := make([]chat.ContextMessage, len(all))
	for i, message := range all {
		line := chat.ContextMessage{Role: string(message.Role), Content: message.Text}
		if message.Role == messages.Tool {
			line.Content, line.ToolCallID = message.Result.Text, message.Result.Call
			line.Name, line.Status = message.Result.Name, string(message.Result.Status)
		}
		for _, call := range message.Calls {
			line.ToolCalls = append(line.ToolCalls, chat.ContextCall{
				ID: call.ID, Type: "function",
				Function: chat.ContextFunction{Name: call.Name, Arguments: string(call.Args)},
			})
		}
		lines[i] = line
	}
	return lines
}

// Hide modifies a backup in place. It passes each text and each call's arguments to the given
// function, which removes secret keys.
func Hide(lines []chat.ContextMessage, hide func(string) string) []chat.ContextMessage {
	for i := range lines {
		lines[i].Content = hide(lines[i].Content)
		for at := range lines[i].ToolCalls {
			called := &lines[i].ToolCalls[at].Function
			called.Arguments = hide(called.Arguments)
		}
	}
	return lines
}
