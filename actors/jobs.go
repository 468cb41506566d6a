package actors

import (
	"errors"
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
	background "marvin/tools/jobs"
)

// What the jobs actor is told by conversations. Those with a reply come from the
// goroutine of a call, which waits for it.
type (
	startJob struct {
		wish  tools.JobWish
		asker asker
		reply chan<- jobAnswer
	}
	listJobs struct {
		asker asker
		reply chan<- jobList
	}
	cancelJob struct {
		id    string
		asker asker
		reply chan<- jobAnswer
	}
	leftRunning struct {
		dir   string
		all   []tools.Left
		asker asker
	}
	// jobsTold says that a model read how these jobs ended.
	jobsTold struct{ ids []string }
	// adoptJobs wants what earlier Marvins began in a directory looked after. Its
	// sender is told what becomes of it.
	adoptJobs struct{ dir string }
	// settleJobs asks, at the end, what is left running; the answer is jobsSettled,
	// once nothing is being cancelled any more.
	settleJobs  struct{}
	jobsSettled struct{ left []tools.Job }
)

// What the jobs actor is told by jobs and by its own work.
type (
	jobBegan struct {
		asker asker
		job   tools.Job
		err   error
		reply chan<- jobAnswer
	}
	// jobExited asks whether somebody is there to be told; the answer is settleJob.
	jobExited struct{ id string }
	jobOver   struct {
		job   tools.Job
		usage messages.Usage
		left  []tools.Left
		err   error // why that could not be written down
	}
	jobResists struct {
		id  string
		err error
	}
	adopted struct {
		running []*background.Running
		ended   []tools.Job
		err     error
		session *actor.PID
	}
	processEnded struct {
		id  string
		err error
	}
)

// asker is who a job belongs to. That of a sub-agent ends with it.
type asker struct {
	session *actor.PID
	agent   bool
}

// sees says whether an asker may know of a job: a sub-agent knows its own only.
func (a asker) sees(other asker) bool {
	return !a.agent || other.session != nil && a.session.Equal(other.session)
}

type jobAnswer struct {
	job tools.Job
	err error
}

// jobList is what there is, and a channel that is closed when a job ends.
type jobList struct {
	jobs    []tools.Job
	changed <-chan struct{}
}

// entry is one job of this process.
type entry struct {
	job     tools.Job
	asker   asker
	pid     *actor.PID // of its actor, while there is one
	cancels []chan<- jobAnswer
	over    bool // its end was reported
}

// The bounds of the table: more running jobs than that are a mistake, and of those
// that ended the oldest are forgotten.
const (
	jobLimit  = 256
	jobMemory = 512
)

// jobs looks after all background work of the process. It lives longer than the
// conversations, as the work does.
type jobs struct {
	config   *Config
	entries  []*entry
	changed  chan struct{}
	starting int
	begun    int
	watched  map[string]bool // sessions
	settler  *actor.PID      // who waits for jobsSettled
}

func (j *jobs) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		j.changed, j.watched = make(chan struct{}), map[string]bool{}
	case startJob:
		j.start(c, message)
	case jobBegan:
		j.began(c, message)
	case listJobs:
		j.list(message)
	case cancelJob:
		j.cancel(c, message)
	case leftRunning:
		j.leftRunning(message)
	case jobsTold:
		j.told(c, message)
	case adoptJobs:
		j.adopt(c, message)
	case adopted:
		j.adopted(c, message)
	case jobExited:
		j.exited(c, message)
	case jobOver:
		j.over(c, message)
	case jobResists:
		j.resists(c, message)
	case processEnded:
		j.processEnded(message)
	case settleJobs:
		j.settler = c.Sender()
		j.settle(c)
	case *actor.Terminated:
		task.Obituary(c, message)
	case task.Gone:
		j.gone(c, message)
	}
}

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
		message.reply <- jobAnswer{err: tools.Advise(fmt.Errorf("%d background jobs are running, and no more can be started", running), "Cancel some with the jobs tool first.")}
		return
	}
	j.starting++
	j.spawn(c, &job{config: j.config, asker: message.asker, wish: message.wish, reply: message.reply})
}

func (j *jobs) spawn(c actor.Context, one *job) *actor.PID {
	j.begun++
	pid, err := c.SpawnNamed(props(j.config.Log, func() actor.Actor { return one }), fmt.Sprintf("job-%d", j.begun))
	if err != nil {
		panic(err)
	}
	return pid
}

func (j *jobs) began(c actor.Context, message jobBegan) {
	j.starting--
	if message.err == nil {
		j.add(c, &entry{job: message.job, asker: message.asker, pid: c.Sender()})
	}
	message.reply <- jobAnswer{job: message.job, err: message.err}
	j.settle(c)
}

func (j *jobs) add(c actor.Context, fresh *entry) {
	for at := 0; len(j.entries) >= jobMemory && at < len(j.entries); {
		if old := j.entries[at]; old.pid == nil && len(old.cancels) == 0 {
			j.entries = slices.Delete(j.entries, at, at+1)
		} else {
			at++
		}
	}
	j.entries = append(j.entries, fresh)
	if session := fresh.asker.session; session != nil && !j.watched[session.Id] {
		j.watched[session.Id] = true
		c.Watch(session)
	}
}

func (j *jobs) list(message listJobs) {
	answer := jobList{changed: j.changed}
	for _, one := range j.entries {
		if message.asker.sees(one.asker) {
			answer.jobs = append(answer.jobs, one.job)
		}
	}
	message.reply <- answer
}

// errForeignJob means that the table does not have the job; its file may.
var errForeignJob = errors.New("another Marvin's job")

func (j *jobs) cancel(c actor.Context, message cancelJob) {
	one := j.find(message.id)
	switch {
	case one == nil || !message.asker.sees(one.asker):
		message.reply <- jobAnswer{err: errForeignJob}
	case !one.job.Running():
		message.reply <- jobAnswer{job: one.job}
	default:
		one.cancels = append(one.cancels, message.reply)
		j.stop(c, one)
	}
}

// stop ends a job, by its actor where it has one.
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
		one.job.State, one.job.Note, one.job.Ended = tools.JobCancelled, "cancelled", j.config.Now()
		j.announce()
	}
	j.answer(one, message.err)
}

func (j *jobs) answer(one *entry, err error) {
	for _, reply := range one.cancels {
		reply <- jobAnswer{job: one.job, err: err}
	}
	one.cancels = nil
}

// announce wakes those who wait for the end of a job.
func (j *jobs) announce() {
	close(j.changed)
	j.changed = make(chan struct{})
}

// leftRunning takes in processes that commands left behind, each once.
func (j *jobs) leftRunning(message leftRunning) {
	for _, process := range message.all {
		id := fmt.Sprintf("pid-%d", process.PID)
		if old := j.find(id); old != nil && old.job.Process == process.Process {
			continue
		}
		j.entries = append(slices.DeleteFunc(j.entries, func(one *entry) bool { return one.job.ID == id }), &entry{asker: message.asker, job: tools.Job{
			ID: id, Kind: tools.JobProcess, Title: process.Command, Dir: message.dir, PID: process.PID, State: tools.JobRunning,
			Started: j.config.Now(), Process: process.Process,
		}})
	}
}

func (j *jobs) adopt(c actor.Context, message adoptJobs) {
	home, session := j.config.Home, c.Sender()
	task.Do(c, func() any {
		running, ended, err := background.Adopt(home, message.dir)
		return adopted{running: running, ended: ended, err: err, session: session}
	}, func(panicked *task.Panicked) any { return adopted{err: panicked, session: session} })
}

func (j *jobs) adopted(c actor.Context, message adopted) {
	if message.err != nil {
		j.config.Log.Warn("background jobs of earlier sessions", "reason", message.err)
	}
	owner := asker{session: message.session}
	for _, running := range message.running {
		pid := j.spawn(c, &job{config: j.config, asker: owner, running: running})
		j.add(c, &entry{job: running.Job, asker: owner, pid: pid})
		c.Send(message.session, messages.Notice{Level: messages.Info, Text: "Still running in the background: " + background.Line(running.Job, j.config.Now())})
	}
	for _, ended := range message.ended {
		j.add(c, &entry{job: ended, asker: owner, over: true})
		c.Send(message.session, jobEnded{job: ended})
	}
}

func (j *jobs) told(c actor.Context, message jobsTold) {
	for _, id := range message.ids {
		if one := j.find(id); one != nil && one.asker.session != nil {
			c.Send(one.asker.session, jobRead{id: id})
		}
	}
}

// exited says whether the end of a job is going to be told; if not, the next Marvin
// that comes by tells it.
func (j *jobs) exited(c actor.Context, message jobExited) {
	one := j.find(message.id)
	c.Respond(settleJob{told: one != nil && (one.asker.session != nil || one.asker.agent)})
}

func (j *jobs) over(c actor.Context, message jobOver) {
	one := j.find(message.job.ID)
	if one == nil {
		return
	}
	one.job, one.over = message.job, true
	if message.err != nil {
		j.config.Log.Warn("the end of a job is not written down", "job", message.job.ID, "reason", message.err)
	}
	j.leftRunning(leftRunning{dir: message.job.Dir, all: message.left, asker: one.asker})
	if one.asker.session != nil && !one.asker.agent {
		c.Send(one.asker.session, jobEnded{job: message.job, usage: message.usage})
	}
	j.announce()
	j.answer(one, nil)
}

// resists reports a job that could not be cancelled; it is still looked after.
func (j *jobs) resists(c actor.Context, message jobResists) {
	if one := j.find(message.id); one != nil {
		j.answer(one, message.err)
	}
	j.settle(c)
}

// gone is the end of a job's actor, or of a session.
func (j *jobs) gone(c actor.Context, obituary task.Gone) {
	delete(j.watched, obituary.Who.Id)
	for _, one := range j.entries {
		switch {
		case one.pid != nil && one.pid.Equal(obituary.Who):
			one.pid = nil
			if !one.over { // a bug: the process may well run
				one.job.State, one.job.Note, one.over = tools.JobDead, "an internal error ended the watch over it", true
				j.answer(one, nil)
				j.announce()
			}
		case one.asker.session != nil && one.asker.session.Equal(obituary.Who):
			if one.asker.agent && one.pid != nil {
				j.stop(c, one)
			}
			one.asker.session = nil
		}
	}
	j.settle(c)
}

// settle answers whoever waits for the end, once the jobs of sub-agents are gone.
func (j *jobs) settle(c actor.Context) {
	if j.settler == nil || j.starting > 0 {
		return
	}
	var left []tools.Job
	for _, one := range j.entries {
		if one.pid != nil && one.asker.agent {
			return
		}
		if one.job.Running() {
			left = append(left, one.job)
		}
	}
	c.Send(j.settler, jobsSettled{left: left})
	j.settler = nil
}

// HandleFailure gives up the watch over a job; its obituary says so.
func (j *jobs) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, message any) {
	supervisor.StopChildren(child)
}
