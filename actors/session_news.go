package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// Input from outside, besides the user's prompts: alarms at any time, and messages of ntfy topics
// with each prompt.

// rung shows alarms at once and keeps them for the model, which receives them with the next prompt.
func (i *incoming) rung(c actor.Context, message rung) {
	if !i.state.conversation.Policy.Person {
		return
	}
	for _, line := range message.lines {
		i.tell(messages.Notice{Level: messages.Warning, Text: line})
	}
	if message.alarmClock != nil {
		c.Send(message.alarmClock, heard{})
	}
	i.state.untold = append(i.state.untold, message.lines...)
}
