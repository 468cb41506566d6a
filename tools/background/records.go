package background

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// records implements [tools.Jobs] for a process that runs no jobs. The jobs come from the records
// stored for dir.
type records struct {
	home *persistence.Home
	dir  string
}

// Records creates a [tools.Jobs] from the job records stored for dir.
func Records(home *persistence.Home, dir string) tools.Jobs { return records{home, dir} }

func (r records) Start(context.Context, tools.JobWish) (tools.Job, error) {
	return tools.Job{}, errors.New("background work is not available here")
}

func (r records) List(context.Context) ([]tools.Job, error) { return Recorded(r.home, r.dir) }

func (r records) Wait(ctx context.Context, ids []string) ([]tools.Job, error) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		all, err := r.List(ctx)
		ended := func(job tools.Job) bool { return slices.Contains(ids, job.ID) && !job.Running() }
		if slices.ContainsFunc(all, ended) || !slices.ContainsFunc(all, func(job tools.Job) bool { return slices.Contains(ids, job.ID) }) {
			return all, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return all, err
		}
	}
}

func (r records) Write(context.Context, string, string, bool) error {
	return errors.New("only the Marvin process that started a job can write to it")
}

func (r records) Cancel(ctx context.Context, id string) (tools.Job, error) {
	all, err := r.List(ctx)
	for _, job := range all {
		switch {
		case job.ID != id:
		case !job.Running():
			return job, nil
		default:
			return cancelStray(r.home, job)
		}
	}
	return tools.Job{}, errors.Join(fmt.Errorf("%w: %s", joblist.ErrNoJob, id), err)
}

func (r records) MarkRead(ids ...string) {
	for _, id := range ids {
		MarkReported(r.home, r.dir, id)
	}
}

func (r records) Refused(string, string) {}

func (r records) AddLeft(string, []tools.LeftProcess) {}

// Merge joins two lists of jobs. It omits a job of the second list if the first list contains a job
// with the same ID.
func Merge(jobs, more []tools.Job) []tools.Job {
	known := map[string]bool{}
	for _, job := range jobs {
		known[job.ID] = true
	}
	return append(jobs, lists.Filter(more, func(job tools.Job) bool { return !known[job.ID] })...)
}

func jobOf(files joblist.Jobs, file joblist.Job) tools.Job {
	job := tools.Job{
		ID: file.ID, Kind: tools.JobCommand, Title: shorten(file.Title), Dir: file.Dir, PID: file.PID, State: tools.JobState(file.Status),
		Started: time.Unix(file.StartedAt, 0), Stray: true, Log: files.LogPath(file.ID),
		Process: tools.Process{PID: file.PID, Started: file.Process, Mark: file.Mark},
	}
	switch kind := tools.JobKind(file.Type); kind {
	case tools.JobReview, tools.JobCI:
		job.Kind = kind
	}
	job.Title = cmp.Or(job.Title, string(job.Kind))
	if file.EndedAt != 0 {
		job.Ended = time.Unix(file.EndedAt, 0)
	}
	if file.Error != nil {
		job.Note = shorten(*file.Error)
	}
	return job
}

func owned(file joblist.Job) bool {
	return file.Owner > 0 && proc.Identity{PID: file.Owner, Started: file.OwnerProcess}.Alive()
}

// Recorded returns a project's jobs from the stored records. If a job's process has ended, Recorded
// determines the job's final state.
func Recorded(home *persistence.Home, dir string) ([]tools.Job, error) {
	files := joblist.New(home, dir)
	list, err := files.List()
	all := make([]tools.Job, 0, len(list))
	for _, file := range list {
		job := jobOf(files, file)
		if job.Running() && !Alive(job) {
			stray := &Running{Job: job, files: files, now: home.Now}
			if owned(file) { // the supervisor will record how the job ended
				said := stray.account(tools.JobRunning, "")
				job.State, job.Note = said.State, said.Note
			} else {
				job, _, _ = stray.Settle(tools.JobRunning, "", false) // the state is right even if storing it failed
			}
		}
		all = append(all, job)
	}
	return all, err
}

// Adopt takes over jobs of a project if the Marvin process that supervised them has ended. It
// returns the running jobs, and the ended jobs that were never reported. No other process adopts
// the same jobs.
func Adopt(home *persistence.Home, dir string) (running []*Running, ended []tools.Job, err error) {
	files := joblist.New(home, dir)
	list, err := files.List()
	self := proc.Self()
	for _, file := range list {
		if file.Told || file.Owner == 0 || owned(file) {
			continue
		}
		mine := false
		failed := files.Update(file.ID, func(now *joblist.Job) error {
			mine = !now.Told && !owned(*now)
			if mine {
				now.Owner, now.OwnerProcess = self.PID, self.Started
				file = *now
			}
			return nil
		})
		if failed != nil || !mine {
			continue // another process took the job first, or the directory is not writable
		}
		job := jobOf(files, file)
		job.Stray = false
		stray := &Running{Job: job, files: files, now: home.Now}
		switch {
		case job.Running() && Alive(job):
			running = append(running, stray)
		case job.Running():
			job, _, _ = stray.Settle(tools.JobRunning, "", true)
			ended = append(ended, job)
		default:
			MarkReported(home, dir, job.ID)
			ended = append(ended, job)
		}
	}
	return running, ended, err
}

// MarkReported records that the end of a job was reported.
func MarkReported(home *persistence.Home, dir, id string) {
	files := joblist.New(home, dir)
	file, err := files.Get(id)
	switch {
	case err != nil || file.Told || file.Status == string(tools.JobRunning):
	case file.Type != string(tools.JobReview):
		_ = files.Remove(id)
	default: // if Update fails, Marvin will report again that the review has ended
		_ = files.Update(id, func(job *joblist.Job) error { job.Told = true; return nil })
	}
}

// cancelStray cancels a job that this process does not supervise.
func cancelStray(home *persistence.Home, job tools.Job) (tools.Job, error) {
	files := joblist.New(home, job.Dir)
	said := Account{State: tools.JobCancelled, Note: "cancelled"}
	ended := home.Now()
	// Update the record first. Otherwise the job's supervisor would record the end as a failure.
	if err := files.Update(job.ID, func(file *joblist.Job) error { said.into(file, ended); file.Told = true; return nil }); err != nil {
		return job, err
	}
	if err := Stop(job); err != nil {
		_ = files.Update(job.ID, func(file *joblist.Job) error {
			file.Status, file.Phase, file.Told, file.EndedAt, file.Error = string(tools.JobRunning), "running", false, 0, nil
			file.PIDs = []int{file.PID}
			return nil
		})
		return job, err
	}
	job.State, job.Note, job.Ended = tools.JobCancelled, "cancelled", ended
	if job.Kind != tools.JobReview {
		_ = files.Remove(job.ID)
	}
	return job, nil
}
