package host

import (
	"cmp"
	"context"
	"fmt"

	"marvin/cmd/marvin/internal/app"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/background"
)

// JobTable shows the background jobs of a directory.
type JobTable struct{ Parts *app.App }

// Jobs implements [command.Host].
func (h JobTable) Jobs(ctx context.Context, dir string) ([]string, error) {
	all, err := h.Parts.System.Jobs(dir).List(ctx)
	var lines []string
	for _, job := range background.Recent(all, h.Parts.World.Now()) {
		lines = append(lines, background.Line(job, h.Parts.World.Now()))
	}
	return lines, err
}

// Running returns the number of running jobs, for the status line.
func (h JobTable) Running(dir string) (count int) {
	all, err := h.Parts.System.Jobs(dir).List(context.Background())
	if err != nil {
		return 0 // /jobs reports the error
	}
	for _, job := range all {
		if job.Running() {
			count++
		}
	}
	return count
}

// JobOutput implements [command.Host].
func (h JobTable) JobOutput(ctx context.Context, dir, id string) (string, error) {
	const lines = 40
	all, err := h.Parts.System.Jobs(dir).List(ctx)
	for _, job := range all {
		if job.ID != id {
			continue
		}
		output, err := background.Tail(h.Parts.Config.Home, job, lines)
		if err != nil {
			return "", err
		}
		return background.Line(job, h.Parts.World.Now()) + "\n" + tools.Visible(cmp.Or(output, "(no output)")), nil
	}
	if err != nil {
		return "", err
	}
	return "", fmt.Errorf("%w: %s; /jobs lists them", joblist.ErrNoJob, id)
}

// CancelJob implements [command.Host].
func (h JobTable) CancelJob(ctx context.Context, dir, id string) (string, error) {
	job, err := h.Parts.System.Jobs(dir).Cancel(ctx, id)
	if err != nil {
		return "", err
	}
	return background.Line(job, h.Parts.World.Now()), nil
}
