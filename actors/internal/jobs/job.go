package jobs

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/background"
)

// Messages to a job.
type (
	// stopJob ends the process and sets the job's final state and the reason for that state.
	stopJob struct {
		state tools.JobState
		why   string
	}
	settleJob struct{ told bool }

	// The job's own tasks send these messages.
	started struct {
		running *background.Running
		err     error
	}
	wrote   struct{}
	exited  struct{}
	stopped struct{ err error }
	settled struct {
		job   tools.Job
		usage messages.Usage
		err   error
	}
	jobOvertime struct{}
)

// job is the actor of a background process. It starts or adopts the process and reports the end of
// the process exactly once. The process can outlive the actor.
type job struct {
	deps    Deps
	asker   Owner
	wish    tools.JobWish
	reply   chan<- jobAnswer
	running *background.Running // the started process, or nil

	stopping *stopJob // a requested stop, or nil
	ending   bool     // the processes are being ended
	gone     bool     // the main process has ended
	ctx      context.Context
	cancel   context.CancelFunc
}

func (j *job) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		j.ctx, j.cancel = context.WithCancel(context.Background())
		j.start(c)
	case started:
		j.finishStart(c, message)
	case stopJob:
		j.stop(c, message)
	case writeJob:
		j.write(c, message)
	case wrote: // the caller already has its answer
	case jobOvertime:
		j.stop(c, stopJob{state: tools.JobFailed, why: "stopped after " + j.wish.Limit.String()})
	case stopped:
		j.finishStop(c, message)
	case exited:
		j.gone = true
		j.reportExit(c)
	case settleJob:
		j.settle(c, message)
	case settled:
		j.reportEnd(c, message)
	case *actor.Stopping:
		j.cancel()
	}
}

func (j *job) start(c actor.Context) {
	if j.running != nil {
		j.watch(c)
		return
	}
	home, wish := j.deps.Home, j.wish
	task.Do(c, func() any {
		running, err := background.Start(home, wish)
		return started{running: running, err: err}
	}, func(panicked *task.Panicked) any { return started{err: panicked} })
}

func (j *job) finishStart(c actor.Context, message started) {
	answer := jobBegan{from: c.Self(), asker: j.asker, err: message.err, reply: j.reply}
	if message.err != nil {
		c.Send(c.Parent(), answer)
		c.Stop(c.Self())
		return
	}
	j.running, answer.job = message.running, message.running.Job
	c.Send(c.Parent(), answer)
	j.watch(c)
}

func (j *job) watch(c actor.Context) {
	running, ctx := j.running, j.ctx
	task.Do(c, func() any { running.Wait(ctx); return exited{} }, func(*task.Panicked) any { return exited{} })
	limit := j.wish.Limit
	if j.wish.Dir == "" && running.Job.Kind == tools.JobReview {
		// An adopted review has already used part of its time limit.
		j.wish.Limit = background.ReviewLimit
		limit = max(1, j.wish.Limit-j.deps.Now().Sub(running.Job.Started))
	}
	if limit > 0 {
		task.After(c, limit, jobOvertime{})
	}
}

// write creates a task that sends the text to the process. If the process does not read its input,
// the task can block for a few seconds.
func (j *job) write(c actor.Context, message writeJob) {
	running := j.running
	if running == nil {
		message.reply <- jobAnswer{err: background.ErrNoInput}
		return
	}
	task.Do(c, func() any {
		message.reply <- jobAnswer{err: running.Write(message.text, message.end)}
		return wrote{}
	}, func(panicked *task.Panicked) any {
		message.reply <- jobAnswer{err: panicked}
		return wrote{}
	})
}

func (j *job) stop(c actor.Context, message stopJob) {
	if j.stopping != nil || j.gone {
		return
	}
	j.stopping, j.ending = &message, true
	running := j.running
	task.Do(c, func() any { return stopped{running.Stop()} }, func(panicked *task.Panicked) any { return stopped{panicked} })
}

// finishStop handles the result of a stop. After a failure, it tells the table and allows another
// attempt.
func (j *job) finishStop(c actor.Context, message stopped) {
	j.ending = false
	if message.err != nil {
		c.Send(c.Parent(), jobResists{id: j.running.Job.ID, err: message.err})
		j.stopping = nil
	}
	j.reportExit(c)
}

// reportExit tells the table that the main process has ended. The report is delayed while the job
// is being stopped, because child processes can ignore TERM until the grace period ends.
func (j *job) reportExit(c actor.Context) {
	if j.gone && !j.ending {
		c.Request(c.Parent(), jobExited{id: j.running.Job.ID})
	}
}

func (j *job) settle(c actor.Context, message settleJob) {
	running, state, why := j.running, tools.JobRunning, ""
	if j.stopping != nil {
		state, why = j.stopping.state, j.stopping.why
	}
	task.Do(c, func() any {
		job, usage, err := running.Settle(state, why, message.told)
		return settled{job: job, usage: usage, err: err}
	}, func(panicked *task.Panicked) any {
		job := running.Job
		job.State, job.Note = tools.JobDead, panicked.Error()
		return settled{job: job, err: panicked}
	})
}

// reportEnd tells the table that the job has ended and which processes the job left running. A
// stopped job leaves no processes.
func (j *job) reportEnd(c actor.Context, message settled) {
	over := jobOver{job: message.job, usage: message.usage, err: message.err}
	if j.stopping == nil {
		over.left = j.running.LeftProcesses()
	}
	c.Send(c.Parent(), over)
	c.Stop(c.Self())
}
