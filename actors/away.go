package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
)

// How a running command goes on in the background: a wish goes from the session over the
// router to the call, which ends with the job that it went on as.

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
		r.note(c, messages.Warning, "No command is running that could go on in the background; Esc ends what runs.")
	}
}
