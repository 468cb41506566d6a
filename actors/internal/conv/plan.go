package conv

import (
	"marvin/messages"
)

// Plan is the checklist of a conversation. It goes from the call that made it to the
// session, which keeps it and gives it to each turn.
type Plan struct {
	Is   messages.Plan
	Call string // that made it: as long as the model has that, it has the plan
}

// Left is the plan for the model when its call leaves the context; "" if nothing is left to do.
func (p Plan) Left() string {
	if p.Is.Over() {
		return ""
	}
	return p.Is.String()
}
