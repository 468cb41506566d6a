package actors

import (
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// Requests whose answers are not in the conversation: of sub-agents, for titles and summaries, and
// side questions. The sender tells its session, which passes the record up to the session whose
// call began the sub-agent; that one stores it.

// departed is such a request, which was answered.
type departed struct{ sent sessionlog.Sent }

// caller identifies the call that began a sub-agent; the zero value is none.
type caller struct {
	session *actor.PID // of the call
	name    string     // of the sub-agent, for people
}

// sentBeside are such requests of a conversation.
type sentBeside struct {
	told map[string]bool   // places by provider that received them
	kept []sessionlog.Sent // where there is no log
}

func (config *Config) sentBy(what string, choice Choice, usage providers.Usage) sessionlog.Sent {
	return sessionlog.Sent{For: what, Model: choice.String(), Host: config.host(choice), Requests: max(1, usage.Turns), Input: usage.Input}
}

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

// tellSentOut reports the requests of a fleet worker for a task.
func tellSentOut(c actor.Context, session *actor.PID, one *member) {
	usage := one.report.Usage
	if usage.Turns == 0 {
		return
	}
	c.Send(session, departed{sessionlog.Sent{
		For: "sub-agent " + inShort(tools.Visible(one.task.Name), 40), Model: "fleet", Host: "a worker of the fleet", Requests: usage.Turns, Input: usage.InputTokens,
	}})
}

// departed writes a request down, or passes it up. Beside is the running turn, if it is one
// beside the conversation.
func (k *keeping) departed(c actor.Context, beside *aside, sent sessionlog.Sent) {
	switch begin := k.state.conversation; {
	case begin.caller.session != nil:
		c.Send(begin.caller.session, departed{sent})
	case begin.Kept.ID() == "": // there is no message to attach it to
		k.keepSent(c, k.recorder, nil, sent)
	case beside != nil: // stored together with the question
		beside.sent = append(beside.sent, k.state.sent.news(sent))
	default:
		k.keepSent(c, k.recorder, begin.Kept.log, sent)
	}
}

// keepSent writes a request down in a log, or keeps it as long as the conversation lives.
func (v *voice) keepSent(c actor.Context, recorder *actor.PID, log *sessionlog.Log, sent sessionlog.Sent) {
	sent = v.state.sent.news(sent)
	if log != nil {
		c.Send(recorder, logged{log: log, records: []sessionlog.Record{sessionlog.Asked(sent)}})
		return
	}
	sent.At = v.now()
	v.state.sent.kept = append(v.state.sent.kept, sent)
}

// news leaves out the places that such a request told the same provider of before.
func (b *sentBeside) news(sent sessionlog.Sent) sessionlog.Sent {
	provider, _, _ := strings.Cut(sent.Model, "/")
	sent.Places = slices.DeleteFunc(slices.Clone(sent.Places), func(place string) bool { return b.told[provider+"\x00"+place] })
	if b.told == nil {
		b.told = map[string]bool{}
	}
	for _, place := range sent.Places {
		b.told[provider+"\x00"+place] = true
	}
	return sent
}
