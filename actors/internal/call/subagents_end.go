package call

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// memberGone handles the end of a sub-agent, whatever the cause.
func (s *subAgents) memberGone(c actor.Context, obituary task.ChildGone) {
	position, ok := s.positions[obituary.Who.Id]
	if !ok {
		return
	}
	one := s.agents[position]
	if one.state == messages.AgentStopped || one.state == messages.AgentFailed {
		return // the sub-agent was abandoned earlier
	}
	one.heard = one.session.Tainted() // the session has ended, so its state can be read
	s.overheard = append(s.overheard, s.Config.PrivateDirs(one.session.Places())...)
	if one.report.Outcome == "" {
		one.report.Outcome, one.report.Text, one.report.Err = messages.Failed, one.session.Said(), "it ended unexpectedly"
		if s.cancelled {
			one.report.Outcome, one.report.Err = messages.Cancelled, ""
		}
		if one.stopped {
			one.report.Outcome, one.report.Err = messages.Cancelled, stoppedByPerson
		}
	}
	one.noteTimeout()
	s.completeReport(c, one)
	s.acquireSlot(c)
}

func (s *subAgents) completeReport(c actor.Context, one *agent) {
	s.ended++
	s.withdrawQuestion(c, one, "")
	one.leave()
	one.report.Took = s.Config.Now().Sub(one.begun)
	switch one.report.Outcome {
	case messages.Completed:
		one.state = messages.AgentEnded
	case messages.Failed:
		one.state = messages.AgentFailed
	default:
		one.state = messages.AgentStopped
	}
	s.readAlong(c, one)
	s.tellOf(c, one)
}

// dismiss cancels the sub-agents. The call waits at most three quarters of CancelGrace for their
// reports, because the call itself must report within CancelGrace.
func (s *subAgents) dismiss(c actor.Context) {
	if s == nil || s.cancelled {
		return
	}
	s.cancelled = true
	s.stop()
	for _, one := range s.agents[:s.begun] {
		if one.pid != nil {
			c.Send(one.pid, messages.Quit{})
		}
	}
	for ; s.begun < len(s.tasks); s.begun++ {
		s.agents[s.begun] = &agent{report: tools.Report{Outcome: messages.Cancelled, Err: "not begun"}}
		s.ended++
	}
	task.After(c, s.Config.Tuning.CancelGrace*3/4, graceExpired{})
	s.acquireSlot(c)
}

// finish sends the reports to the call's goroutine. It does nothing if it has already sent them.
func (s *subAgents) finish() {
	if s.reports == nil {
		return
	}
	all := make([]tools.Report, len(s.tasks))
	for i, one := range s.agents {
		if one != nil {
			all[i] = one.report
		}
		if all[i].Outcome == "" {
			all[i].Outcome, all[i].Err = messages.Cancelled, "it did not stop in time"
		}
	}
	s.reports <- all
	s.reports = nil
	s.stop()
}

// taintSource returns the name of the tool that brought untrusted text to a sub-agent, or "" if no
// sub-agent read such text. The sub-agent's report can repeat the text.
func (s *subAgents) taintSource() string {
	if s == nil {
		return ""
	}
	for _, one := range s.agents {
		if one != nil && one.heard != "" {
			return one.heard
		}
	}
	return ""
}

// privateDirs returns the private directories that the sub-agents might have read.
func (s *subAgents) privateDirs() []string {
	if s == nil {
		return nil
	}
	return s.overheard
}

func (s *subAgents) spent() messages.Usage {
	var all messages.Usage
	if s == nil {
		return all
	}
	for _, one := range s.agents {
		if one != nil {
			all = all.Plus(one.report.Usage)
		}
	}
	return all
}

func (s *subAgents) end() {
	if s != nil {
		s.stop()
		s.finish()
	}
}
