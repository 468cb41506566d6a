package actors

import "github.com/asynkron/protoactor-go/actor"

func (w *worker) approve(c actor.Context, message approve) {
	w.conversation.Policy.Approval = message.mode
	w.subAgents.approve(c, message.mode)
}
