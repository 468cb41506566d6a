package tools

import (
	"context"
	"io"
	"time"

	"marvin/tools/internal/jail"
)

// JobWish is work to be done in the background by a process of its own.
type JobWish struct {
	Kind  JobKind
	Title string // for people and models: what it does
	Dir   string // where it works, absolute
	// Shell is a shell command; or Program, an absolute path, is Marvin itself with its Args, and
	// Env is added to Environ.
	Shell   string
	Program string
	Args    []string
	Env     []string
	Environ []string
	Jail    *jail.Jail    // what holds the command; nil for nothing
	Shown   []string      // directories of Marvin's own that it may read in the jail
	Limit   time.Duration // after which it is stopped; 0 for never
	Input   bool          // it reads what [Jobs.Write] gives it
	Going   Going         // a command that runs already; nil for one to be started
	Open    bool          // nothing restricts its hosts, because no private or untrusted text came yet

	// More fields of a review's file.
	Ticket, Branch           string
	Files, References, Looks int
}

// Going is a call's command that continues as a job.
type Going interface {
	// Process is its first one.
	Process() Process
	// Divert writes what it put out so far, and what it will put out.
	Divert(to io.Writer) error
}

// JobKind is what sort of work a job is.
type JobKind string

// The kinds of jobs. A process is one that a command left running unasked.
const (
	JobReview  JobKind = "code-review"
	JobCommand JobKind = "command"
	JobProcess JobKind = "process"
	JobCI      JobKind = "ci" // a watch over checks on GitHub
)

// JobState is where a job is in its life.
type JobState string

// The states of a job. Dead is one that ended without anybody to see how.
const (
	JobRunning   JobState = "running"
	JobCompleted JobState = "completed"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
	JobDead      JobState = "dead"
)

// Job is work in the background, as it was at one moment.
type Job struct {
	ID      string
	Kind    JobKind
	Title   string
	Dir     string
	PID     int
	State   JobState
	Note    string // how it ended, in a few words
	Report  string // what a watch found out, for people and the model; "" for nothing
	Started time.Time
	Ended   time.Time // zero while it runs
	Stray   bool      // another Marvin looks after it, or none
	Tied    bool      // it ends with this process, because it began as a call

	// Open says that it began before private or untrusted text came, and may contact any host.
	Open    bool
	Refused []string // hosts that it may not contact, as host:port

	Process Process // of its first process
	Log     string  // where its output is, absolute; "" for none
}

// Running says whether a job has not ended.
func (j Job) Running() bool { return j.State == JobRunning }

// Process is one that was started: what tells its pid from the next use of it.
type Process struct {
	PID           int
	Started, Mark string
}

// Jobs is the background work that a conversation knows of: that of this process, and
// what Marvins of the same working directory began. A sub-agent has its own only.
type Jobs interface {
	// Start begins a job and returns at once.
	Start(ctx context.Context, wish JobWish) (Job, error)
	// List gives all jobs, the oldest first.
	List(ctx context.Context) ([]Job, error)
	// Wait returns when one of the jobs ended, or ctx did, with all jobs as they are.
	Wait(ctx context.Context, ids []string) ([]Job, error)
	// Write gives a job something to read, and ends its input with end.
	Write(ctx context.Context, id, text string, end bool) error
	// Cancel ends a job with everything that it started, and returns when it is gone.
	Cancel(ctx context.Context, id string) (Job, error)
	// Told says that a model read how these jobs ended; it is not told again.
	Told(ids ...string)
	// Refused notes that a job may not contact a host, as host:port.
	Refused(id, host string)
	// LeftProcess reports what a command in dir left running.
	Left(dir string, all []LeftProcess)
}

// LeftProcess is a process that was left running unasked.
type LeftProcess struct {
	Process
	Command string
	Open    bool // as in [Job]
}
