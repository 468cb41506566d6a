package jobs

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/background"
)

// decideReport tells a job's actor whether this process reports the end of the job. If not, the
// next Marvin process reports the end.
func (j *jobs) decideReport(c actor.Context, message jobExited) {
	one := j.find(message.id)
	c.Respond(settleJob{told: one != nil && (one.asker.Session != nil || one.asker.Agent)})
}

func (j *jobs) jobEnded(c actor.Context, message jobOver) {
	one := j.find(message.job.ID)
	if one == nil {
		return
	}
	message.job.Refused, message.job.Open = one.job.Refused, one.job.Open
	one.job, one.over = message.job, true
	if message.err != nil {
		j.deps.Log.Warn("the end of a job could not be recorded", "job", message.job.ID, "reason", message.err)
	}
	j.addLeft(leftRunning{dir: message.job.Dir, all: message.left, asker: one.asker})
	if one.asker.Session != nil {
		c.Send(one.asker.Session, mail.JobEnded{Job: message.job, Usage: message.usage, Read: one.read})
		if righted := tools.PutRight(j.deps.Sandbox); righted != "" {
			c.Send(one.asker.Session, messages.Notice{Level: messages.Problem, Text: righted})
		}
	}
	j.announce()
	j.answer(one, nil)
}

// reportResisting reports a failed cancellation to the waiting callers. The job's actor continues
// to watch the job.
func (j *jobs) reportResisting(c actor.Context, message jobResists) {
	if one := j.find(message.id); one != nil {
		one.resists = true
		j.answer(one, message.err)
	}
	j.settle(c)
}

func (j *jobs) handleGone(c actor.Context, obituary task.ChildGone) {
	delete(j.watched, obituary.Who.Id)
	delete(j.children, obituary.Who.Id)
	for _, one := range j.entries {
		switch {
		case one.pid != nil && one.pid.Equal(obituary.Who):
			one.pid = nil
			if !one.over { // a bug ended the actor early; the job's process may still be running
				one.job.State, one.job.Note, one.over = tools.JobDead, "because of an internal error, Marvin no longer watches this job", true
				j.answer(one, nil)
				j.announce()
			}
		case one.asker.Session != nil && one.asker.Session.Equal(obituary.Who):
			if one.asker.Agent && one.pid != nil {
				j.stop(c, one)
			}
			one.asker.Session = nil
		}
	}
	j.settle(c)
}

func (j *jobs) markTold(c actor.Context, message jobsTold) {
	for _, id := range message.ids {
		one := j.find(id)
		if one == nil {
			continue
		}
		one.read = true // the job's file shows that the job ended; jobOver can arrive later
		if one.asker.Session != nil {
			c.Send(one.asker.Session, mail.JobRead{Id: id})
		}
	}
}

func (j *jobs) answer(one *entry, err error) {
	for _, reply := range one.cancels {
		reply <- jobAnswer{job: one.job, err: err}
	}
	one.cancels = nil
}

// announce wakes the callers that wait for a job to end.
func (j *jobs) announce() {
	close(j.changed)
	j.changed = make(chan struct{})
}

// settle terminates the jobs that are tied to this process, waits for the jobs of sub-agents, and
// then answers [SettleJobs].
func (j *jobs) settle(c actor.Context) {
	if j.settler == nil || j.starting > 0 {
		return
	}
	var left []tools.Job
	for _, one := range j.entries {
		if one.pid != nil && one.job.Tied && one.job.Running() && !one.resists {
			if !one.ends { // the job is not being stopped yet
				one.ends = true
				j.stop(c, one)
			}
			return
		}
		if one.pid != nil && one.asker.Agent {
			return
		}
		if one.job.Running() {
			left = append(left, one.job)
		}
	}
	c.Send(j.settler, JobsSettled{Left: left})
	j.settler = nil
}

// HandleFailure stops the failed actor of a job. The actor's obituary then reports the failure.
func (j *jobs) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, message any) {
	supervisor.StopChildren(child)
}

// mostRefused limits the number of refused hosts that a job lists.
const mostRefused = 20

func (j *jobs) addRefused(c actor.Context, message jobRefused) {
	one := j.find(message.id)
	if one == nil || len(one.job.Refused) >= mostRefused || slices.Contains(one.job.Refused, message.host) {
		return
	}
	one.job.Refused = append(slices.Clone(one.job.Refused), message.host)
	if one.asker.Session != nil {
		for _, line := range tools.HostNotices("background job "+message.id, []string{message.host}) {
			c.Send(one.asker.Session, messages.Notice{Level: messages.Warning, Text: line})
		}
	}
}

// privateCame warns a conversation about its running jobs that can contact any host. It warns about
// each job only once.
func (j *jobs) privateCame(c actor.Context, message PrivateCame) {
	for _, one := range j.entries {
		if one.job.Open && !one.warned && one.job.Running() && one.asker.Session != nil && one.asker.Session.Equal(message.Session) {
			one.warned = true
			c.Send(one.asker.Session, mail.JobEnded{Late: background.UnrestrictedWarning(one.job, message.By), Warns: true})
		}
	}
}
