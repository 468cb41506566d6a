package tools

import (
	"context"
	"io"
	"time"

	"marvin/tools/internal/jail"
)

// JobWish describes background work that a separate process will do.
type JobWish struct {
	Kind  JobKind
	Title string // description for people and models
	Dir   string // working directory, absolute
	// Shell is a shell command. If Shell is empty, the job runs Marvin: Program is Marvin's
	// absolute path, and Args are its arguments. Env is appended to Environ.
	Shell   string
	Program string
	Args    []string
	Env     []string
	Environ []string
	Jail    *jail.Jail        // confines the command; nil for no confinement
	Shown   []string          // Marvin's own directories that the command may read in the jail
	Limit   time.Duration     // time after which the job is stopped; 0 for never
	Input   bool              // the job accepts input through [Jobs.Write]
	Going   ContinuingCommand // a command that is already running; nil for a new one
	Open    bool              // as in [Job]

	// The remaining fields describe a code review. They are stored in the job's file.
	Ticket, Branch           string
	Files, References, Looks int
}

// ContinuingCommand is a command that continues as a job after its call.
type ContinuingCommand interface {
	// Process returns the command's first process.
	Process() Process
	// Divert writes the output so far to the given writer, and sends all further output there.
	Divert(to io.Writer) error
}

// JobKind is the kind of a job.
type JobKind string

// The kinds of jobs. A JobProcess is a process that outlived its command, although the call had not
// asked for a job.
const (
	JobReview  JobKind = "code-review"
	JobCommand JobKind = "command"
	JobProcess JobKind = "process"
	JobCI      JobKind = "ci" // waits for checks on GitHub
)

// JobState is the state of a job.
type JobState string

// The states of a job. JobDead means that the job ended while no Marvin process supervised it.
const (
	JobRunning   JobState = "running"
	JobCompleted JobState = "completed"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
	JobDead      JobState = "dead"
)

// Job is a snapshot of background work.
type Job struct {
	ID      string
	Kind    JobKind
	Title   string
	Dir     string
	PID     int
	State   JobState
	Note    string // how the job ended, in a few words
	Report  string // the report on watched GitHub checks, or ""
	Started time.Time
	Ended   time.Time // zero while the job runs
	Stray   bool      // this Marvin process does not supervise the job
	Tied    bool      // the job began as a call's command, and ends when this Marvin process ends

	// Open means that the job may contact any host, because it started before private or untrusted
	// text arrived.
	Open    bool
	Refused []string // host:port of each host that the sandbox did not let the job contact

	Process Process // the job's first process
	Log     string  // absolute path of the output file, or ""
}

// Running reports whether the job is running.
func (j Job) Running() bool { return j.State == JobRunning }

// Process identifies a started process, so that a later process with the same PID is not mistaken
// for it.
type Process struct {
	PID           int
	Started, Mark string
}

// Jobs manages the background work that a conversation can see: the jobs of this process, and jobs
// that other Marvin processes started in the same working directory. A sub-agent sees only its own
// jobs.
type Jobs interface {
	// Start starts a job and returns at once.
	Start(ctx context.Context, wish JobWish) (Job, error)
	// List returns all jobs, oldest first.
	List(ctx context.Context) ([]Job, error)
	// Wait waits until one of the given jobs ends or ctx is done. It returns all jobs, like
	// [Jobs.List].
	Wait(ctx context.Context, ids []string) ([]Job, error)
	// Write sends text to a job's input, and closes the input if end is true.
	Write(ctx context.Context, id, text string, end bool) error
	// Cancel stops a job and its child processes, and waits for all of them to exit.
	Cancel(ctx context.Context, id string) (Job, error)
	// MarkRead records that the model has read the results of these jobs, so that the results are
	// not sent to the model again.
	MarkRead(ids ...string)
	// Refused adds a host to the job's refused hosts. The host has the form host:port.
	Refused(id, host string)
	// AddLeft adds a job for each process. The working directory of each job is dir.
	AddLeft(dir string, all []LeftProcess)
}

// LeftProcess is a process that outlived its command, although the call had not asked for a job.
type LeftProcess struct {
	Process
	Command string
	Open    bool // as in [Job]
}
