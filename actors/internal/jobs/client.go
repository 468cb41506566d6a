package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/background"
)

// Client implements [tools.Jobs] by sending requests to the jobs actor. Most methods block, so
// actors must not call them.
type Client struct {
	Root  *actor.RootContext
	Table *actor.PID
	Home  *persistence.Home
	Dir   string
	Asker Owner
}

// inquire sends a question and waits for its answer.
func inquire[T any](ctx context.Context, d Client, question func(reply chan<- T) any) (answer T, err error) {
	reply := make(chan T, 1)
	d.Root.Send(d.Table, question(reply))
	select {
	case answer = <-reply:
		return answer, nil
	case <-ctx.Done():
		return answer, context.Cause(ctx)
	}
}

func (d Client) ask(ctx context.Context, question func(reply chan<- jobAnswer) any) (tools.Job, error) {
	answer, err := inquire(ctx, d, question)
	if err != nil {
		return tools.Job{}, err
	}
	return answer.job, answer.err
}

// Start implements [tools.Jobs].
func (d Client) Start(ctx context.Context, wish tools.JobWish) (tools.Job, error) {
	return d.ask(ctx, func(reply chan<- jobAnswer) any { return startJob{wish: wish, asker: d.Asker, reply: reply} })
}

// List implements [tools.Jobs].
func (d Client) List(ctx context.Context) ([]tools.Job, error) {
	all, _, err := d.list(ctx)
	return all, err
}

func (d Client) list(ctx context.Context) (all []tools.Job, changed <-chan struct{}, err error) {
	answer, err := inquire(ctx, d, func(reply chan<- jobList) any { return listJobs{asker: d.Asker, reply: reply} })
	if err != nil {
		return nil, nil, err
	}
	var gone []tools.Job
	for _, job := range answer.jobs {
		switch {
		case job.Kind != tools.JobProcess || job.Running() && background.Alive(job):
			all = append(all, job)
		case job.Running():
			gone = append(gone, job)
		}
	}
	if len(gone) > 0 {
		d.Root.Send(d.Table, processesGone{gone})
	}
	if d.Asker.Agent || d.Dir == "" {
		return all, answer.changed, nil
	}
	recorded, err := background.Recorded(d.Home, d.Dir)
	return background.Merge(all, recorded), answer.changed, err
}

// strayPause is the interval at which Wait checks jobs that no actor of this process watches.
const strayPause = time.Second

// Wait implements [tools.Jobs].
func (d Client) Wait(ctx context.Context, ids []string) ([]tools.Job, error) {
	for {
		// Wait returns a list even if ctx has already ended. The jobs actor answers
		// immediately.
		all, changed, err := d.list(context.WithoutCancel(ctx))
		if err != nil && len(all) == 0 {
			return nil, err
		}
		var look <-chan time.Time
		waits := false
		for _, job := range all {
			if !slices.Contains(ids, job.ID) {
				continue
			}
			if !job.Running() {
				return all, nil
			}
			waits = true
			if job.Stray || job.Kind == tools.JobProcess {
				look = time.After(strayPause)
			}
		}
		if !waits { // the awaited job no longer exists
			return all, nil
		}
		select {
		case <-changed:
		case <-look:
		case <-ctx.Done():
			return all, nil
		}
	}
}

// Cancel implements [tools.Jobs].
func (d Client) Cancel(ctx context.Context, id string) (tools.Job, error) {
	job, err := d.ask(ctx, func(reply chan<- jobAnswer) any { return cancelJob{id: id, asker: d.Asker, reply: reply} })
	if !errors.Is(err, errForeignJob) {
		return job, err
	}
	return background.Records(d.Home, d.Dir).Cancel(ctx, id)
}

// Write implements [tools.Jobs].
func (d Client) Write(ctx context.Context, id, text string, end bool) error {
	_, err := d.ask(ctx, func(reply chan<- jobAnswer) any {
		return writeJob{id: id, text: text, end: end, asker: d.Asker, reply: reply}
	})
	return err
}

// MarkRead implements [tools.Jobs].
func (d Client) MarkRead(ids ...string) { d.Root.Send(d.Table, jobsTold{ids: ids}) }

// Refused implements [tools.Jobs].
func (d Client) Refused(id, host string) { d.Root.Send(d.Table, jobRefused{id: id, host: host}) }

// AddLeft implements [tools.Jobs].
func (d Client) AddLeft(dir string, all []tools.LeftProcess) {
	d.Root.Send(d.Table, leftRunning{dir: dir, all: all, asker: Owner{Session: d.Asker.Session}})
}

// RunningJobs returns a line of the system text for each running job. The lines contain no times,
// so the provider's prompt cache stays valid until a job starts or ends.
func (d Client) RunningJobs() []string {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	all, _ := d.List(ctx) // ignore the error; the jobs tool reports it
	var lines []string
	for _, job := range all {
		if job.Running() {
			lines = append(lines, fmt.Sprintf("%s (%s), pid %d: %s", job.ID, job.Kind, job.PID, job.Title))
		}
	}
	return lines
}
