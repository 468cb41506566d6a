package background

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
)

// records is the background work of a directory as far as its files tell: for a Marvin
// that looks after nothing itself. It implements [tools.Jobs].
type records struct {
	home *persistence.Home
	dir  string
}

// Records is the background work of a directory according to its files.
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
	return errors.New("only the Marvin that began a job can write to it")
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

func (r records) Told(ids ...string) {
	for _, id := range ids {
		MarkReported(r.home, r.dir, id)
	}
}

func (r records) Refused(string, string) {}

func (r records) Left(string, []tools.LeftProcess) {}

// Merge adds jobs that a list does not have yet.
func Merge(all, more []tools.Job) []tools.Job {
	known := map[string]bool{}
	for _, job := range all {
		known[job.ID] = true
	}
	for _, job := range more {
		if !known[job.ID] {
			all = append(all, job)
		}
	}
	return all
}
