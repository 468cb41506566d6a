package jobs

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/background"
)

// Messages between the jobs actor and the rest of Marvin. The goroutine that sends a message with a
// reply channel waits for the reply.
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
	// processesGone reports that processes which outlived their commands have ended.
	processesGone struct{ all []tools.Job }
	// jobRefused reports that the sandbox did not let a job contact a host. The host has the form
	// host:port.
	jobRefused struct{ id, host string }
	// PrivateCame reports that a conversation has received private or untrusted text.
	PrivateCame struct {
		By      string // the source of the text
		Session *actor.PID
	}
	// jobsTold reports that the model has read the results of these jobs.
	jobsTold struct{ ids []string }
	// AdoptJobs takes over a project's jobs from Marvin processes that have ended. The sender
	// receives the jobs' results.
	AdoptJobs struct{ Dir string }
	// SettleJobs asks which jobs will continue after Marvin exits. The answer, [JobsSettled], comes
	// when the jobs that are tied to this process and the jobs of sub-agents have ended.
	SettleJobs struct{}
	// JobsSettled lists the jobs that will continue.
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
	// jobExited asks whether this process reports the end of the job. The answer is settleJob.
	jobExited struct{ id string }
	jobOver   struct {
		job   tools.Job
		usage messages.Usage
		left  []tools.LeftProcess
		err   error // the error if the job's end could not be stored
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

// maySee reports whether this owner can see the jobs of the other owner. A sub-agent sees only its
// own jobs.
func (a Owner) maySee(other Owner) bool {
	return !a.Agent || other.Session != nil && a.Session.Equal(other.Session)
}

type jobAnswer struct {
	job tools.Job
	err error
}

// jobList is the answer to listJobs.
type jobList struct {
	jobs    []tools.Job
	changed <-chan struct{} // closed when any job ends
}
