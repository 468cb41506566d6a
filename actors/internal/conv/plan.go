package conv

import (
	"marvin/messages"
)

// Plan is the checklist of a conversation. The call that makes a plan sends it to the session. The
// session stores the plan and gives it to each turn.
type Plan struct {
	Is   messages.Plan
	Call string // the call that made it: while the model has this call, it knows the plan
}

// Left returns the plan as text for the model, if the call that made the plan was removed from the
// context. It returns "" if all steps are over.
func (p Plan) Left() string {
	if p.Is.Over() {
		return ""
	}
	return p.Is.String()
}
