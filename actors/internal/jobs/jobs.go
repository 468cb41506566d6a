package jobs

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/kernel"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/background"
)

// entry is one job of this process.
type entry struct {
	job     tools.Job
	asker   Owner
	pid     *actor.PID // the job's actor, or nil
	cancels []chan<- jobAnswer
	over    bool // the job's end has been reported
	ends    bool // the job is being stopped because Marvin exits
	resists bool // an attempt to stop the job has failed
	read    bool // the model knows that the job has ended
	warned  bool // the conversation was warned that the job may contact any host
}

// If the number of running jobs has reached jobLimit, the table refuses new jobs, because a larger
// number can only be a mistake. If the number of all jobs has reached jobMemory, a new job replaces
// the oldest job that has ended. If none has ended, it replaces the oldest process that outlived its
// command.
const (
	jobLimit  = 256
	jobMemory = 512
)

// Deps are the dependencies of the table of jobs.
type Deps struct {
	Home    *persistence.Home
	Sandbox *tools.Sandbox // restricts commands; nil means no restriction
	Log     *slog.Logger
	Now     func() time.Time
}

// New returns the actor that manages all background jobs.
func New(deps Deps) actor.Actor { return &jobs{deps: deps} }

// jobs is the actor that manages all background jobs of the process. The actor and its jobs outlive
// the conversations.
type jobs struct {
	deps     Deps
	entries  []*entry
	changed  chan struct{}
	starting int
	children map[string]bool // the job actors that this incarnation spawned, by actor id
	watched  map[string]bool // the sessions that this actor watches, by actor id
	settler  *actor.PID      // the caller that waits for JobsSettled
}

func (j *jobs) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		j.changed, j.watched, j.children = make(chan struct{}), map[string]bool{}, map[string]bool{}
	case *actor.Restarting: // the next incarnation does not know the waiting callers
		for _, one := range j.entries {
			j.answer(one, errors.New("an internal error in Marvin interrupted the cancellation; list the jobs to see the state of this one"))
		}
		close(j.changed)
	case startJob:
		j.start(c, message)
	case jobBegan:
		j.answerStart(c, message)
	case listJobs:
		j.list(message)
	case cancelJob:
		j.cancel(c, message)
	case writeJob:
		j.write(c, message)
	case jobRefused:
		j.addRefused(c, message)
	case PrivateCame:
		j.privateCame(c, message)
	case leftRunning:
		j.addLeft(message)
	case processesGone:
		j.dropGone(message)
	case jobsTold:
		j.markTold(c, message)
	case mail.TakePending:
		c.Forward(message.Session)
	case AdoptJobs:
		j.adopt(c, message)
	case adopted:
		j.adopted(c, message)
	case jobExited:
		j.decideReport(c, message)
	case jobOver:
		j.jobEnded(c, message)
	case jobResists:
		j.reportResisting(c, message)
	case processEnded:
		j.processEnded(message)
	case SettleJobs:
		j.settler = c.Sender()
		j.settle(c)
	case *actor.Terminated:
		task.MailTerminated(c, message)
	case task.ChildGone:
		j.handleGone(c, message)
	}
}

// jobsBegun is the number of job actors spawned so far.
var jobsBegun atomic.Int64

func (j *jobs) find(id string) *entry {
	for _, one := range j.entries {
		if one.job.ID == id {
			return one
		}
	}
	return nil
}

func (j *jobs) start(c actor.Context, message startJob) {
	running := j.starting
	for _, one := range j.entries {
		if one.pid != nil {
			running++
		}
	}
	if running >= jobLimit {
		message.reply <- jobAnswer{err: tools.Advise(fmt.Errorf("%d background jobs are running, which is the limit", running), "Cancel a job with the jobs tool first.")}
		return
	}
	j.starting++
	j.spawn(c, &job{deps: j.deps, asker: message.asker, wish: message.wish, reply: message.reply})
}

func (j *jobs) spawn(c actor.Context, one *job) *actor.PID {
	// Each name is used only once in the process. Otherwise, messages from an old job could match a
	// new job after a restart of this actor.
	pid, err := c.SpawnNamed(kernel.Props(j.deps.Log, func() actor.Actor { return one }), fmt.Sprintf("job-%d", jobsBegun.Add(1)))
	if err != nil {
		panic(err)
	}
	j.children[pid.Id] = true
	return pid
}

// answerStart adds a new job to the table and replies to the caller. If the table restarted during
// the start, the job is not added, and the next Marvin process takes over the job.
func (j *jobs) answerStart(c actor.Context, message jobBegan) {
	known := j.children[message.from.Id]
	if known {
		j.starting--
	}
	if message.err == nil && known {
		j.add(c, &entry{job: message.job, asker: message.asker, pid: message.from})
	}
	message.reply <- jobAnswer{job: message.job, err: message.err}
	j.settle(c)
}

func (j *jobs) add(c actor.Context, fresh *entry) {
	j.makeRoom()
	j.entries = append(j.entries, fresh)
	if session := fresh.asker.Session; session != nil && !j.watched[session.Id] {
		j.watched[session.Id] = true
		c.Watch(session)
	}
}

func (j *jobs) makeRoom() {
	idle := func(one *entry) bool { return one.pid == nil && len(one.cancels) == 0 }
	for len(j.entries) >= jobMemory {
		at := slices.IndexFunc(j.entries, func(one *entry) bool { return idle(one) && one.job.State != tools.JobRunning })
		if at < 0 {
			at = slices.IndexFunc(j.entries, idle)
		}
		if at < 0 {
			return
		}
		j.entries = slices.Delete(j.entries, at, at+1)
	}
}

func (j *jobs) list(message listJobs) {
	answer := jobList{changed: j.changed}
	for _, one := range j.entries {
		if message.asker.maySee(one.asker) {
			answer.jobs = append(answer.jobs, one.job)
		}
	}
	message.reply <- answer
}

// errForeignJob means that the table lacks the job, or that the caller must not see the job.
// Another process can own the job.
var errForeignJob = errors.New("another Marvin's job")

func (j *jobs) cancel(c actor.Context, message cancelJob) {
	one := j.find(message.id)
	switch {
	case one == nil || !message.asker.maySee(one.asker):
		message.reply <- jobAnswer{err: errForeignJob}
	case !one.job.Running():
		message.reply <- jobAnswer{job: one.job}
	default:
		one.cancels = append(one.cancels, message.reply)
		j.stop(c, one)
	}
}

func (j *jobs) write(c actor.Context, message writeJob) {
	one := j.find(message.id)
	if one == nil || one.pid == nil || !message.asker.maySee(one.asker) {
		message.reply <- jobAnswer{err: background.ErrNoInput}
		return
	}
	c.Send(one.pid, message)
}

// stop asks the job's actor to stop the job. If the job has no actor, a task stops it.
func (j *jobs) stop(c actor.Context, one *entry) {
	if one.pid != nil {
		c.Send(one.pid, stopJob{state: tools.JobCancelled, why: "cancelled"})
		return
	}
	process := one.job
	task.Do(c, func() any { return processEnded{id: process.ID, err: background.Stop(process)} },
		func(panicked *task.Panicked) any { return processEnded{id: process.ID, err: panicked} })
}

func (j *jobs) processEnded(message processEnded) {
	one := j.find(message.id)
	if one == nil {
		return
	}
	if message.err == nil {
		one.job.State, one.job.Note, one.job.Ended = tools.JobCancelled, "cancelled", j.deps.Now()
		j.announce()
	}
	j.answer(one, message.err)
}

// addLeft adds the processes that outlived their commands. It skips processes that the table
// already contains.
func (j *jobs) addLeft(message leftRunning) {
	for _, process := range message.all {
		id := fmt.Sprintf("pid-%d", process.PID)
		if old := j.find(id); old != nil && old.job.Process == process.Process {
			continue
		}
		j.entries = slices.DeleteFunc(j.entries, func(one *entry) bool { return one.job.ID == id })
		j.makeRoom()
		j.entries = append(j.entries, &entry{asker: message.asker, job: tools.Job{
			ID: id, Kind: tools.JobProcess, Title: process.Command, Dir: message.dir, PID: process.PID, State: tools.JobRunning,
			Started: j.deps.Now(), Process: process.Process, Open: process.Open,
		}})
	}
}

// dropGone removes processes that have ended by themselves. A process that is just being cancelled
// stays until its cancellation has been answered.
func (j *jobs) dropGone(message processesGone) {
	j.entries = slices.DeleteFunc(j.entries, func(one *entry) bool {
		return len(one.cancels) == 0 && slices.ContainsFunc(message.all, func(gone tools.Job) bool {
			return one.job.Kind == tools.JobProcess && one.job.Running() && one.job.ID == gone.ID && one.job.Process == gone.Process
		})
	})
}

func (j *jobs) adopt(c actor.Context, message AdoptJobs) {
	home, session := j.deps.Home, c.Sender()
	task.Do(c, func() any {
		running, ended, err := background.Adopt(home, message.Dir)
		return adopted{running: running, ended: ended, err: err, session: session}
	}, func(panicked *task.Panicked) any { return adopted{err: panicked, session: session} })
}

func (j *jobs) adopted(c actor.Context, message adopted) {
	if message.err != nil {
		j.deps.Log.Warn("background jobs of earlier sessions", "reason", message.err)
	}
	owner := Owner{Session: message.session}
	for _, running := range message.running {
		pid := j.spawn(c, &job{deps: j.deps, asker: owner, running: running})
		j.add(c, &entry{job: running.Job, asker: owner, pid: pid})
		c.Send(message.session, messages.Notice{Level: messages.Info, Text: "Still running in the background: " + background.Line(running.Job, j.deps.Now())})
	}
	for _, ended := range message.ended {
		j.add(c, &entry{job: ended, asker: owner, over: true})
		c.Send(message.session, mail.JobEnded{Job: ended})
	}
}
