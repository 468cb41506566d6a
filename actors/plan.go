package actors

import "marvin/messages"

// plan is the checklist of a conversation. It goes from the call that made it to the
// session, which keeps it and gives it to each turn.
type plan struct {
	is   messages.Plan
	call string // that made it: as long as the model has that, it has the plan
}

// left is the plan for the model when its call leaves the context; "" if nothing is left to do.
func (p plan) left() string {
	if p.is.Over() {
		return ""
	}
	return p.is.String()
}
