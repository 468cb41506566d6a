package session

import (
	"slices"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Recalled converts a stored turn to an event that shows the turn as the user saw it.
func Recalled(registry *toolbox.Registry, turn sessionlog.Turn) messages.Recalled {
	event := messages.Recalled{At: turn.At, Prompt: turn.Prompt, Outcome: turn.Outcome, Err: turn.Err}
	switch {
	case turn.Running:
		event.Outcome, event.Err = messages.Incomplete, "another Marvin process is still running this turn"
	case turn.Outcome == "":
		event.Outcome, event.Err = messages.Failed, "Marvin ended unexpectedly in this turn"
	}
	called := map[string]tools.Call{}
	for i, message := range slices.Concat(conv.DroppedMessages(turn), turn.Messages) {
		switch message.Role {
		case messages.User:
			if i > 0 && message.Text != turn.Prompt {
				event.Steps = append(event.Steps, messages.RecalledStep{Text: message.Text, Said: true, At: message.At, Pictures: messages.Labels(message.Pictures), Images: message.Pictures})
			} else {
				event.Shown = append(event.Shown, messages.Labels(message.Pictures)...)
				event.Images = append(event.Images, message.Pictures...)
			}
		case messages.Assistant:
			if thought := message.Thought(); message.Text != "" || thought != "" {
				event.Steps = append(event.Steps, messages.RecalledStep{Text: message.Text, Model: message.Model, At: message.At, Thinking: thought, Usage: message.Usage})
			}
			for _, call := range message.Calls {
				called[call.ID] = decodeCall(registry, call)
			}
		case messages.Tool:
			result := message.Result
			event.Steps = append(event.Steps, messages.RecalledStep{
				Tool: result.Name, Title: called[result.Call].Title, Command: called[result.Call].FullCommand(), Status: result.Status, Exit: result.Exit, Job: result.Job, Text: messages.Unframe(result.Text),
				At: message.At, Pictures: messages.Labels(result.Pictures), Source: message.Origin.From, Images: result.Pictures,
			})
		}
	}
	return event
}

// decodeCall decodes a stored call. If decoding fails, only Title is set, to the tool's name.
func decodeCall(registry *toolbox.Registry, call messages.ToolCall) tools.Call {
	if tool, known := registry.Lookup(call.Name); known {
		if as, err := tool.Decode(call.Args); err == nil {
			return as
		}
	}
	return tools.Call{Title: call.Name}
}
