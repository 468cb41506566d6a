package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// memberGone is where a sub-agent ends, whatever ended it.
func (w *worker) memberGone(c actor.Context, obituary task.Gone) {
	position, ok := w.crew.positions[obituary.Who.Id]
	if !ok {
		return
	}
	one := w.crew.members[position]
	one.heard = one.keep.tainted // nobody else holds it any more
	w.overheard = append(w.overheard, w.config.bound(one.keep.places())...)
	if one.report.Outcome == "" {
		one.report.Outcome, one.report.Text, one.report.Err = messages.Failed, one.keep.said.String(), "it ended unexpectedly"
		if w.crew.dismissed {
			one.report.Outcome, one.report.Err = messages.Cancelled, ""
		}
	}
	w.left(c, one)
	w.seat(c)
}

// left closes the account of a sub-agent.
func (w *worker) left(c actor.Context, one *member) {
	w.crew.ended++
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
	crew := w.crew
	if crew == nil || crew.dismissed {
		return
	}
	crew.dismissed = true
	crew.stop()
	for _, one := range crew.members[:crew.begun] {
		if one.pid != nil {
			c.Send(one.pid, messages.Quit{})
		}
	}
	for ; crew.begun < len(crew.tasks); crew.begun++ {
		crew.members[crew.begun] = &member{report: tools.Report{Outcome: messages.Cancelled, Err: "not begun"}}
		crew.ended++
	}
	task.After(c, w.config.Tuning.CancelGrace*3/4, overstayed{})
	w.seat(c)
}

// disband gives the call its reports, once.
func (w *worker) disband() {
	if w.crew.reports == nil {
		return
	}
	all := make([]tools.Report, len(w.crew.tasks))
	for i, one := range w.crew.members {
		if one != nil {
			all[i] = one.report
		}
		if all[i].Outcome == "" {
			all[i].Outcome, all[i].Err = messages.Cancelled, "it did not stop in time"
		}
	}
	w.crew.reports <- all
	w.crew.reports = nil
	w.crew.stop()
}

// heard is the tool by which a sub-agent brought in words of strangers; its report may
// repeat them.
func (w *worker) heard() string {
	if w.crew == nil {
		return ""
	}
	for _, one := range w.crew.members {
		if one != nil && one.heard != "" {
			return one.heard
		}
	}
	return ""
}

// spent is what the sub-agents cost so far.
func (w *worker) spent() messages.Usage {
	var all messages.Usage
	if w.crew == nil {
		return all
	}
	for _, one := range w.crew.members {
		if one != nil {
			all = all.Plus(one.report.Usage)
		}
	}
	return all
}
