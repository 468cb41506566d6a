package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// memberGone is where a sub-agent ends, whatever ended it.
func (w *worker) memberGone(c actor.Context, obituary task.Gone) {
	position, ok := w.subAgents.positions[obituary.Who.Id]
	if !ok {
		return
	}
	one := w.subAgents.members[position]
	one.heard = one.session.tainted // nobody else holds it any more
	w.overheard = append(w.overheard, w.config.bound(one.session.places())...)
	if one.report.Outcome == "" {
		one.report.Outcome, one.report.Text, one.report.Err = messages.Failed, one.session.said.String(), "it ended unexpectedly"
		if w.subAgents.dismissed {
			one.report.Outcome, one.report.Err = messages.Cancelled, ""
		}
	}
	w.left(c, one)
	w.seat(c)
}

// left closes the account of a sub-agent.
func (w *worker) left(c actor.Context, one *member) {
	w.subAgents.ended++
	w.lower(c, one, "")
	one.leave()
	one.report.Took = w.config.Now().Sub(one.begun)
	switch one.report.Outcome {
	case messages.Completed:
		one.state = messages.AgentEnded
	case messages.Failed:
		one.state = messages.AgentFailed
	default:
		one.state = messages.AgentStopped
	}
	w.tellOf(c, one)
}

// dismiss ends the sub-agents politely, then firmly: all of them report within the
// time that the call itself has after a cancel.
func (w *worker) dismiss(c actor.Context) {
	subAgents := w.subAgents
	if subAgents == nil || subAgents.dismissed {
		return
	}
	subAgents.dismissed = true
	subAgents.stop()
	for _, one := range subAgents.members[:subAgents.begun] {
		if one.pid != nil {
			c.Send(one.pid, messages.Quit{})
		}
	}
	for ; subAgents.begun < len(subAgents.tasks); subAgents.begun++ {
		subAgents.members[subAgents.begun] = &member{report: tools.Report{Outcome: messages.Cancelled, Err: "not begun"}}
		subAgents.ended++
	}
	task.After(c, w.config.Tuning.CancelGrace*3/4, overstayed{})
	w.seat(c)
}

// disband gives the call its reports, once.
func (w *worker) disband() {
	if w.subAgents.reports == nil {
		return
	}
	all := make([]tools.Report, len(w.subAgents.tasks))
	for i, one := range w.subAgents.members {
		if one != nil {
			all[i] = one.report
		}
		if all[i].Outcome == "" {
			all[i].Outcome, all[i].Err = messages.Cancelled, "it did not stop in time"
		}
	}
	w.subAgents.reports <- all
	w.subAgents.reports = nil
	w.subAgents.stop()
}

// heard is the tool by which a sub-agent brought in words of strangers; its report may
// repeat them.
func (w *worker) heard() string {
	if w.subAgents == nil {
		return ""
	}
	for _, one := range w.subAgents.members {
		if one != nil && one.heard != "" {
			return one.heard
		}
	}
	return ""
}

// spent is what the sub-agents cost so far.
func (w *worker) spent() messages.Usage {
	var all messages.Usage
	if w.subAgents == nil {
		return all
	}
	for _, one := range w.subAgents.members {
		if one != nil {
			all = all.Plus(one.report.Usage)
		}
	}
	return all
}
