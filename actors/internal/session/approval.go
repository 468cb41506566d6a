package session

import (
	"cmp"
	"encoding/json"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/recorder"
	"marvin/messages"
	"marvin/persistence/audit"
)

type approval struct {
	*emitter
	config   *conv.Setup
	recorder *actor.PID
	turn     *currentTurn
}

// set replaces the approval mode. It does not settle the open questions.
func (a *approval) set(c actor.Context, mode messages.Approval) {
	before := a.state.conversation.Policy.Approval
	a.state.conversation.Policy.Approval = mode
	if before != mode {
		a.warnUnasked(c)
	}
	a.turn.send(c, mail.Approve{Mode: mode})
	a.modeChanged()
}

// warnUnasked writes a warning to Marvin's log and to the audit log if the session runs every call
// without asking the user.
func (a *approval) warnUnasked(c actor.Context) {
	policy, sandbox := a.state.conversation.Policy, a.config.Sandbox.Mode()
	if policy.Approval != messages.ApproveAll || policy.Agent {
		return
	}
	held := cmp.Or(string(sandbox), "auto")
	a.config.Log.Warn("everything runs unasked", "approve", string(policy.Approval), "sandbox", held, "person", policy.Person, "dir", a.state.conversation.Dir, "session", a.state.conversation.Stored.ID())
	args, err := json.Marshal(map[string]string{"mode": string(policy.Approval), "sandbox": held})
	if err != nil {
		panic(err) // a map[string]string can always be encoded
	}
	c.Send(a.recorder, recorder.AuditRemark{Entry: audit.Call{Tool: "_approve", Args: args, Result: policy.Approval.Description()}})
}
