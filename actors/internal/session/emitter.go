package session

import (
	"time"

	"marvin/messages"
)

// emitter sends the events of a conversation to its front ends. All parts of the session use one
// emitter, so the events have a fixed order.
type emitter struct {
	state   *State
	now     func() time.Time
	request *string // the id of the running request; nil for the user's own action
}

// tell sends an event. It also stores usage totals, so that they outlive the turn.
func (v *emitter) tell(event messages.Event) {
	if sums, is := event.(messages.UsageChanged); is {
		if !nothing(v.state.beside) {
			sums.Usage = sums.Usage.Plus(v.state.beside)
		}
		v.state.usage, v.state.context = sums.Usage, sums.Context
		event = sums
	}
	v.state.tell(v.now(), event)
}

// modeChanged sends a [messages.ModeChanged] event with the current settings.
func (v *emitter) modeChanged() {
	now := v.state.conversation
	v.tell(messages.ModeChanged{Dir: now.Dir, Coding: now.Policy.Coding, Profile: now.Profile, Approval: now.Policy.EventMode()})
}

// absorb adds usage from outside a turn to the session's totals. The usage belongs to a review, a
// title or a cost correction, for example. [emitter.tell] adds such usage to the totals that a
// running turn reports.
func (v *emitter) absorb(usage messages.Usage, running bool) {
	if nothing(usage) {
		return
	}
	if running {
		v.state.beside = v.state.beside.Plus(usage)
	}
	v.state.conversation.Spending.Pay(usage.Cost)
	v.state.usage = v.state.usage.Plus(usage)
	v.state.tell(v.now(), messages.UsageChanged{Usage: v.state.usage, Context: v.state.context})
}

func nothing(usage messages.Usage) bool {
	return usage.Turns == 0 && usage.Cost == 0 && usage.Estimated == 0 && usage.InputTokens == 0 && usage.CachedTokens == 0 && usage.OutputTokens == 0
}

func (v *emitter) requestID() string {
	if v.request == nil {
		return ""
	}
	return *v.request
}

// answering returns an emitter whose refusals refer to the given request.
func (v *emitter) answering(request *string) *emitter {
	return &emitter{state: v.state, now: v.now, request: request}
}

// refuse sends a [messages.Refused] event for the current request. It sends nothing for the user's
// own actions, because a late keypress is not an error.
func (v *emitter) refuse(why string) {
	if v.request != nil {
		v.tell(messages.Refused{Request: *v.request, Err: why})
	}
}

// warn tells the user, and the program that made the request, why nothing was done.
func (v *emitter) warn(why string) {
	v.tell(messages.Notice{Level: messages.Warning, Text: why})
	v.refuse(why)
}
