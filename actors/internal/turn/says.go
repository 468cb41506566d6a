package turn

import (
	"marvin/messages"
	"marvin/providers"
)

// The metadata of messages: author, time, source and cost.

// messageFrom makes a message whose text the model did not write.
func (t *turnState) messageFrom(from messages.Source, text string) messages.Message {
	message := messages.Message{Text: text, At: t.Config.Now().UTC(), Origin: messages.Origin{From: from}}
	if dir := t.conversation.Dir; dir != "" && from == messages.FromPerson {
		message.Origin.Places = []string{dir} // the user's text can contain data from dir
	}
	return message
}

func (t *turnState) prompt() messages.Message {
	from := messages.FromPerson
	if policy := t.conversation.Policy; policy.Agent || policy.FromOtherMarvin {
		from = messages.FromModel
	}
	message := t.messageFrom(from, t.input.Prompt)
	message.Role, message.Pictures = messages.User, t.input.Pictures
	for _, picture := range message.Pictures {
		if picture.Path != "" {
			message.Origin.Places = append(message.Origin.Places, picture.Path)
		}
	}
	return message
}

func (t *turnState) answer(reply providers.Reply, cost float64) messages.Message {
	count := reply.Usage
	return messages.Message{
		Model: t.choice.String(), Host: t.Config.Host(t.choice), At: t.Config.Now().UTC(), Thinking: reply.Thinking, Origin: messages.Origin{From: messages.FromModel},
		Usage: messages.RoundTrip{Input: count.Input, Cached: count.Cached, Written: count.Written, Output: count.Output, Cost: cost, Estimated: count.Estimated},
	}
}

// resultMessages makes a message from each result and its origin. If origins is nil, the origin is
// Marvin itself.
func (t *turnState) resultMessages(results []messages.ToolResult, origins []messages.Origin) []messages.Message {
	all := make([]messages.Message, len(results))
	for i, result := range results {
		all[i] = t.messageFrom(messages.FromMarvin, "")
		all[i].Result = result
		if origins != nil && origins[i].From != "" {
			all[i].Origin = origins[i]
		}
	}
	return all
}
