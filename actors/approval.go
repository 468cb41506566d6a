package actors

import (
	"cmp"
	"encoding/json"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/persistence/audit"
)

// The approval mode of a conversation may change at any moment, also while a turn runs.
// It goes down as a message, to whatever judges calls: the router's workers, and through
// them to the sessions of sub-agents, which never have another one than their caller.

// approve sets the approval mode for later calls.
type approve struct{ mode messages.Approval }

// approval is the mode in which the calls of a conversation are judged.
type approval struct {
	*voice
	config   *Config
	recorder *actor.PID
	turn     *currentTurn
}

// set changes the approval mode. Open questions remain open.
func (a *approval) set(c actor.Context, mode messages.Approval) {
	before := a.state.conversation.Policy.Approval
	a.state.conversation.Policy.Approval = mode
	if before != mode {
		a.loudly(c)
	}
	a.turn.send(c, approve{mode: mode})
	a.modeChanged()
}

// loudly records in both logs that the session runs every call without asking.
func (a *approval) loudly(c actor.Context) {
	policy, sandbox := a.state.conversation.Policy, a.config.Sandbox.Mode()
	if policy.Approval != messages.ApproveAll || policy.Agent {
		return
	}
	held := cmp.Or(string(sandbox), "auto")
	a.config.Log.Warn("everything runs unasked", "approve", string(policy.Approval), "sandbox", held, "person", policy.Person, "dir", a.state.conversation.Dir, "session", a.state.conversation.Kept.ID())
	args, err := json.Marshal(map[string]string{"mode": string(policy.Approval), "sandbox": held})
	if err != nil {
		panic(err) // two texts
	}
	c.Send(a.recorder, remarked{entry: audit.Call{Tool: "_approve", Args: args, Result: policy.Approval.Means()}})
}

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

func (w *worker) approve(c actor.Context, message approve) {
	w.conversation.Policy.Approval = message.mode
	w.subAgents.approve(c, message.mode)
}
