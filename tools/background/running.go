package background

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// A Running is a job and its process. The field Job is a snapshot from the time when the job was
// started or adopted. Only Stop may be called concurrently with other methods.
type Running struct {
	Job   tools.Job
	files joblist.Jobs
	now   func() time.Time
	child waiter              // nil if another Marvin process started the job
	input *proc.DetachedChild // nil if the job has no input
	end   proc.Ending
}

type waiter interface{ Wait() proc.Ending }

// grace is how long Stop lets a job try to exit by itself.
const grace = 3 * time.Second

// Start starts a job and stores the job's record. If wish.Going is a running command, this command
// becomes the job.
func Start(home *persistence.Home, wish tools.JobWish) (*Running, error) {
	if wish.Going != nil {
		return takeOver(home, wish)
	}
	files := joblist.New(home, wish.Dir)
	id, stdout, stderr, err := files.Create(prefix(wish.Kind))
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	defer stderr.Close()
	command := proc.Command{Shell: wish.Shell, Dir: wish.Dir, Environ: wish.Environ, Env: wish.Env, Jail: wish.Jail, Shown: wish.Shown}
	if wish.Program != "" {
		command.Name, command.Args, command.Argv0, command.Marvin = wish.Program, wish.Args, "marvin", true
	} else {
		stderr = stdout // both streams go to one file, so that their lines stay in order
	}
	child, err := proc.Start(command, stdout, stderr, wish.Input)
	if err != nil {
		files.Discard(id)
		return nil, err
	}
	running := &Running{files: files, now: home.Now, child: child, input: child, Job: tools.Job{
		ID: id, Kind: wish.Kind, Title: wish.Title, Dir: wish.Dir, PID: child.PID, State: tools.JobRunning,
		Started: home.Now(), Process: tools.Process(child.Identity), Log: files.LogPath(id), Open: wish.Open,
	}}
	if err := files.Add(record(running.Job, wish)); err != nil {
		child.End()
		files.Discard(id)
		return nil, err
	}
	return running, nil
}

func prefix(kind tools.JobKind) string {
	switch kind {
	case tools.JobReview:
		return "review"
	case tools.JobCI:
		return "ci"
	}
	return "cmd"
}

func record(job tools.Job, wish tools.JobWish) joblist.Job {
	self := proc.Self()
	return joblist.Job{
		ID: job.ID, Type: string(job.Kind), Status: string(job.State), StartedAt: job.Started.Unix(), Started: job.Started.Format(time.RFC3339),
		Dir: job.Dir, Branch: wish.Branch, Files: wish.Files, References: wish.References, MaxRounds: wish.Looks, Phase: "running",
		PIDs: []int{job.PID}, PID: job.PID, Ticket: wish.Ticket, Title: job.Title,
		Process: job.Process.Started, Mark: job.Process.Mark, Owner: self.PID, OwnerProcess: self.Started,
	}
}

// pause is the interval between checks of a process that is not a child of this process.
const pause = time.Second

// Wait waits until the job's process or ctx ends. It ignores ctx for a child of Marvin, because a
// child that nobody waits for becomes a zombie.
func (r *Running) Wait(ctx context.Context) {
	if r.child != nil {
		r.end = r.child.Wait()
		return
	}
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for proc.Identity(r.Job.Process).Alive() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Stop ends all processes of r.Job.
func (r *Running) Stop() error { return Stop(r.Job) }

// Stop ends all processes of a job.
func Stop(job tools.Job) error {
	if err := proc.Identity(job.Process).Stop(grace); err != nil {
		return fmt.Errorf("end job %s (pid %d): %w", job.ID, job.PID, err)
	}
	return nil
}

// Alive reports whether the first process of a job is running.
func Alive(job tools.Job) bool { return proc.Identity(job.Process).Alive() }

// LeftProcesses returns the processes that were still running when the job ended.
func (r *Running) LeftProcesses() []tools.LeftProcess {
	return lists.Map(r.end.Left, func(process proc.Process) tools.LeftProcess {
		return tools.LeftProcess{Process: tools.Process{PID: process.PID, Started: process.Started, Mark: process.Mark}, Command: process.Command}
	})
}

// Settle records how the job ended. It returns the job and, for a review, the cost. The caller
// passes the final state and the reason. If the caller passes [tools.JobRunning] instead, Settle
// determines the state and the reason. A caller that reports the end of the job passes true for
// reported.
func (r *Running) Settle(state tools.JobState, why string, reported bool) (tools.Job, messages.Usage, error) {
	// Settle changes a copy, because Stop can read r.Job concurrently.
	said, now := r.account(state, why), r.Job
	now.State, now.Note, now.Ended = said.State, said.Note, r.now()
	if now.Kind == tools.JobCI {
		now.Report = said.Result
	}
	if now.Kind != tools.JobReview && reported {
		return now, said.Usage, r.files.Remove(now.ID) // removes the record, but not the output
	}
	err := r.files.Update(now.ID, func(file *joblist.Job) error {
		if file.Status == string(tools.JobCancelled) { // another Marvin process canceled the job
			now.State, now.Note = tools.JobCancelled, "cancelled"
		}
		said.into(file, now.Ended)
		file.Told = file.Told || reported
		return nil
	})
	if errors.Is(err, joblist.ErrNoJob) {
		err = nil // the record was already deleted
	}
	return now, said.Usage, err
}

func (r *Running) account(ended tools.JobState, why string) Account {
	said := Account{State: ended, Note: why}
	switch {
	case r.Job.Kind == tools.JobReview:
		said = ReviewAccount(r.files, r.Job.ID)
	case r.Job.Kind == tools.JobCI:
		return ciAccount(r.files, r.Job.ID, ended, why)
	case r.child == nil:
		said = Account{State: tools.JobDead, Note: "it ended while Marvin was not running, so its exit code is unknown"}
	}
	switch {
	case ended != tools.JobRunning:
		said.State, said.Note = ended, why
	case r.child == nil:
	case r.end.Signal != "":
		said.State, said.Note = tools.JobFailed, fmt.Sprintf("exit code %d, ended by a signal: %s", r.end.ExitCode, r.end.Signal)
	case r.end.ExitCode == 0:
		said.State, said.Note = tools.JobCompleted, ""
		if r.Job.Kind == tools.JobCommand {
			said.Note = "exit code 0"
		}
	default:
		note := fmt.Sprintf("exit code %d", r.end.ExitCode)
		if said.State == tools.JobFailed && said.Note != "" && r.Job.Kind == tools.JobReview {
			note += ": " + said.Note
		}
		said.State, said.Note = tools.JobFailed, note
	}
	return said
}
