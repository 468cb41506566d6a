package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/providers"
)

// tellSent reports an answered request to the session if the answer is not part of the
// conversation.
func (t *turnState) tellSent(c actor.Context, choice Choice, reply providers.Reply) {
	what := ""
	switch begin := t.conversation; {
	case begin.caller.session != nil:
		what = "sub-agent " + inShort(begin.caller.name, 40)
	case t.brief.aside:
		what = "beside the conversation"
	case t.phase == compacting:
		what = "a summary"
	default:
		return
	}
	sent := t.config.sentBy(what, choice, reply.Usage)
	sent.Places = messages.Places(t.turn.Messages())
	for _, call := range reply.Calls {
		if to := networked(t.tools, call); to != "" {
			sent.Calls = append(sent.Calls, SentCall{Tool: call.Name, To: to})
		}
	}
	c.Send(t.brief.session, departed{sent})
}
