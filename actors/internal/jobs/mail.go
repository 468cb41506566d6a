package jobs

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/background"
)

// Messages from conversations to the jobs actor. A message with a reply channel comes from the
// goroutine of a call, which waits for the reply.
type (
	startJob struct {
		wish  tools.JobWish
		asker Owner
		reply chan<- jobAnswer
	}
	listJobs struct {
		asker Owner
		reply chan<- jobList
	}
	cancelJob struct {
		id    string
		asker Owner
		reply chan<- jobAnswer
	}
	writeJob struct {
		id, text string
		end      bool
		asker    Owner
		reply    chan<- jobAnswer
	}
	leftRunning struct {
		dir   string
		all   []tools.LeftProcess
		asker Owner
	}
	// jobRefused says that a job may not contact a host, as host:port.
	jobRefused struct{ id, host string }
	// PrivateCame says that private or untrusted text is in a conversation, and from which tool.
	PrivateCame struct {
		By      string
		Session *actor.PID
	}
	// jobsTold says that a model has read how these jobs ended.
	jobsTold struct{ ids []string }
	// AdoptJobs takes over jobs that earlier Marvins began in a directory. The results of these
	// jobs go to the sender.
	AdoptJobs struct{ Dir string }
	// SettleJobs asks which jobs will continue after Marvin's end. The answer is [JobsSettled]. The
	// answer comes when no job is being cancelled any more.
	SettleJobs  struct{}
	JobsSettled struct{ Left []tools.Job }
)

// Messages to the jobs actor from jobs and from its own tasks.
type (
	jobBegan struct {
		from  *actor.PID
		asker Owner
		job   tools.Job
		err   error
		reply chan<- jobAnswer
	}
	// jobExited asks whether a conversation can report the end; the answer is settleJob.
	jobExited struct{ id string }
	jobOver   struct {
		job   tools.Job
		usage messages.Usage
		left  []tools.LeftProcess
		err   error // why the end could not be stored
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

// Owner is the owner of a job. A sub-agent's job ends with the sub-agent.
type Owner struct {
	Session *actor.PID
	Agent   bool
}

// maySee is true if the owner may know of another owner's job. A sub-agent knows only its own jobs.
func (a Owner) maySee(other Owner) bool {
	return !a.Agent || other.Session != nil && a.Session.Equal(other.Session)
}

type jobAnswer struct {
	job tools.Job
	err error
}

// jobList answers a request for the jobs. Its channel is closed when a job ends.
type jobList struct {
	jobs    []tools.Job
	changed <-chan struct{}
}
