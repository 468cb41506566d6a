package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/alarms"
	"marvin/messages"
)

// Input from outside, besides the user's prompts: alarms at any time, and messages of ntfy topics
// with each prompt.

// rung shows alarms at once and keeps them for the model, which receives them with the next prompt.
func (i *incoming) rung(c actor.Context, message alarms.Rung) {
	if !i.state.conversation.Policy.Person {
		return
	}
	for _, line := range message.Lines {
		i.tell(messages.Notice{Level: messages.Warning, Text: line})
	}
	if message.AlarmClock != nil {
		c.Send(message.AlarmClock, alarms.Heard{})
	}
	i.state.untold = append(i.state.untold, message.Lines...)
}
