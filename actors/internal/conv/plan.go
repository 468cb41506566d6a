package conv

import (
	"marvin/messages"
)

// Plan is the checklist of a conversation. A call sends a new plan to the session, which stores the
// plan and gives it to each turn.
type Plan struct {
	Is   messages.Plan
	Call string // the call that made the plan: while the context contains this call, the model knows the plan
}

// Unfinished returns the plan as text, or "" if no steps are left. The model needs this text once
// the call that made the plan has left the context.
func (p Plan) Unfinished() string {
	if p.Is.Finished() {
		return ""
	}
	return p.Is.String()
}
