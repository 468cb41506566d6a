package actors

import "github.com/asynkron/protoactor-go/actor"

func (r *router) approve(c actor.Context, message approve) {
	r.conversation.Policy.Approval = message.mode
	r.mode = r.conversation.Policy.mode()
	if r.mode.Planning { // behind this round the model can say what it plans
		r.round.found = append(r.round.found, r.tools.Since(r.mode, r.preparation.window, r.offered != nil, r.has)...)
	}
	for _, worker := range c.Children() {
		c.Send(worker, message)
	}
}
