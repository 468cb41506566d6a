package conv

import (
	"marvin/messages"
)

// Plan is the checklist of a conversation. The call that makes a plan sends it to the session. The
// session stores the plan and gives it to each turn.
type Plan struct {
	Is   messages.Plan
	Call string // the call that made the plan: while the context contains this call, the model knows the plan
}

// Unfinished returns the plan as text, or "" if no steps are left. A model needs this text when its
// context no longer has the call that made the plan.
func (p Plan) Unfinished() string {
	if p.Is.Finished() {
		return ""
	}
	return p.Is.String()
}
