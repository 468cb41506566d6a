package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// Moving a running command to the background: the request goes from the session through the router
// to the call, which ends with the job that continues it.

// sendAway hands the wish to the calls that can.
func (r *round) sendAway(c actor.Context, wish messages.Background) {
	found := false
	for i, call := range r.calls {
		tool, err := r.tools.Find(call.Name, r.mode)
		if r.phase != running || err != nil || !tool.Leaves || wish.Call != "" && wish.Call != call.ID {
			continue
		}
		for _, child := range c.Children() {
			if position, lives := r.workers[child.Id]; lives && position == i {
				found = true
				c.Send(child, wish)
			}
		}
	}
	if !found {
		r.note(c, messages.Warning, "No running command can move to the background; Esc ends the running call.")
	}
}
