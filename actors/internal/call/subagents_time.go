package call

import (
	"cmp"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
)

// Each sub-agent has its own time limit, so a sub-agent that hangs cannot block the call forever.

// agentTime is the default time limit of a sub-agent.
const agentTime = 10 * time.Minute

type (
	// agentExpired tells the worker to check the time limit of a sub-agent.
	agentExpired struct{ position int }
	// agentOverdue says that a stopped sub-agent did not end in time.
	agentOverdue struct{ position int }
)

// clock creates the deadline timer of a sub-agent. In a turn with a time limit, a fifth of the
// remaining time is kept for the answer that follows the reports.
func (s *subAgents) clock(c actor.Context, position int, one *agent) {
	one.limit = cmp.Or(s.Config.AgentTime, agentTime)
	if !s.Ends.IsZero() {
		one.limit = min(one.limit, max(task.MinWait, s.Ends.Sub(one.begun)*4/5))
	}
	task.After(c, one.limit, agentExpired{position: position})
}

// stopExpired stops a sub-agent whose time is up. Time spent waiting for the user does not count.
func (s *subAgents) stopExpired(c actor.Context, position int) {
	one, now := s.agents[position], s.Config.Now()
	if one.report.Outcome != "" || s.cancelled {
		return
	}
	if left := one.limit + one.paused.SoFar(now) - now.Sub(one.begun); left > 0 {
		task.After(c, max(left, task.MinWait), agentExpired{position: position})
		return
	}
	one.late = true
	one.halt(c, func(string) {})
	task.After(c, s.Config.Tuning.CancelGrace/2, agentOverdue{position: position})
}

// overdue responds to [agentOverdue]. A sub-agent that is still running is abandoned and reported
// as failed.
func (s *subAgents) overdue(c actor.Context, position int) {
	one := s.agents[position]
	if one.state != messages.AgentWorking && one.state != messages.AgentAsking {
		return
	}
	one.heard = "launch_agent" // one.session.Tainted() is not safe for concurrent use
	switch {
	case one.session == nil:
	case len(s.Config.Models.Private) > 0:
		one.report.Text = "(The text is left out, because it may come from a private directory.)"
	default:
		one.report.Text = one.session.Said()
	}
	one.report.Outcome, one.report.Err = messages.Failed, "did not stop in time"
	one.noteTimeout()
	if one.pid != nil {
		c.Stop(one.pid)
	}
	s.completeReport(c, one)
	s.acquireSlot(c)
}

// noteTimeout marks the report as failed if the deadline stopped the sub-agent.
func (one *agent) noteTimeout() {
	if one.late && one.report.Outcome != messages.Completed {
		one.report.Outcome, one.report.Err = messages.Failed, fmt.Sprintf("timed out after %s; the work done so far is shown above", one.limit.Round(time.Millisecond))
	}
}
