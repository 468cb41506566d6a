package background

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Running is a job with a process, as it was at its start. Its methods are called one
// after the other, except for Stop.
type Running struct {
	Job   tools.Job
	files joblist.Jobs
	now   func() time.Time
	child waiter         // nil for one that an earlier Marvin began
	input *proc.Detached // whose input can be written; nil for none
	end   proc.Ending
}

// waiter is a process of ours.
type waiter interface{ Wait() proc.Ending }

// grace is what a stopped job has for its last words.
const grace = 3 * time.Second

// Start begins a job. Its file is there when Start returns.
func Start(home *persistence.Home, wish tools.JobWish) (*Running, error) {
	if wish.Going != nil {
		return takeOver(home, wish)
	}
	files := joblist.Of(home, wish.Dir)
	id, stdout, stderr, err := files.Create(prefix(wish.Kind))
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	defer stderr.Close()
	command := proc.Command{Shell: wish.Shell, Dir: wish.Dir, Environ: wish.Environ, Env: wish.Env, Jail: wish.Jail, Shown: wish.Shown}
	if wish.Program != "" {
		command.Name, command.Args, command.As, command.Marvin = wish.Program, wish.Args, "marvin", true
	} else {
		stderr = stdout // in the order in which they were written
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
		_ = child.Stop(0)
		child.Wait()
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

// record is the file of a job that begins.
func record(job tools.Job, wish tools.JobWish) joblist.Job {
	self := proc.Self()
	return joblist.Job{
		ID: job.ID, Type: string(job.Kind), Status: string(job.State), StartedAt: job.Started.Unix(), Started: job.Started.Format(time.RFC3339),
		Dir: job.Dir, Branch: wish.Branch, Files: wish.Files, References: wish.References, MaxRounds: wish.Looks, Phase: "running",
		PIDs: []int{job.PID}, PID: job.PID, Ticket: wish.Ticket, Title: job.Title,
		Process: job.Process.Started, Mark: job.Process.Mark, Owner: self.PID, OwnerProcess: self.Started,
	}
}

// pause is how often a process that is no child of ours is looked at.
const pause = time.Second

// Wait returns when the job's process is gone, or when ctx ended if that is no child
// of this Marvin's: a child must be waited for, or it stays as a zombie.
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

// Stop ends the job's process and all that it started.
func (r *Running) Stop() error { return Stop(r.Job) }

// Stop ends the process of a job and all that it started.
func Stop(job tools.Job) error {
	if err := proc.Identity(job.Process).Stop(grace); err != nil {
		return fmt.Errorf("end job %s (pid %d): %w", job.ID, job.PID, err)
	}
	return nil
}

// Alive reports whether the first process of a job is running.
func Alive(job tools.Job) bool { return proc.Identity(job.Process).Alive() }

// Left is what the job itself left running.
func (r *Running) Left() []tools.LeftProcess {
	var all []tools.LeftProcess
	for _, process := range r.end.Left {
		all = append(all, tools.LeftProcess{Process: tools.Process{PID: process.PID, Started: process.Started, Mark: process.Mark}, Command: process.Command})
	}
	return all
}

// Settle stores the end of the job and returns it, with the cost of a review. ended is the known
// state, JobRunning for unknown, and why explains it; told says that the end is being reported now.
func (r *Running) Settle(ended tools.JobState, why string, told bool) (tools.Job, messages.Usage, error) {
	said, now := r.account(ended, why), r.Job // a copy: Stop may still look at the other
	now.State, now.Note, now.Ended = said.State, said.Note, r.now()
	if now.Kind == tools.JobCI {
		now.Report = said.Result
	}
	if now.Kind != tools.JobReview && told {
		return now, said.Usage, r.files.Remove(now.ID) // its output stays
	}
	err := r.files.Update(now.ID, func(file *joblist.Job) error {
		if file.Status == string(tools.JobCancelled) { // by another Marvin
			now.State, now.Note = tools.JobCancelled, "cancelled"
		}
		said.into(file, now.Ended)
		file.Told = file.Told || told
		return nil
	})
	if errors.Is(err, joblist.ErrNoJob) {
		err = nil // it was deleted
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
		said = Account{State: tools.JobDead, Note: "it ended while no Marvin was running; its exit code is unknown"}
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
