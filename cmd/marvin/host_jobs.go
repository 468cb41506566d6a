package main

import (
	"context"
	"fmt"

	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/background"
)

// jobTable is the background work of a directory.
type jobTable struct{ parts *parts }

// Jobs implements [command.Host].
func (h jobTable) Jobs(ctx context.Context, dir string) ([]string, error) {
	all, err := h.parts.system.Jobs(dir).List(ctx)
	var lines []string
	for _, job := range background.Recent(all, h.parts.world.Now()) {
		lines = append(lines, background.Line(job, h.parts.world.Now()))
	}
	return lines, err
}

// running is how many run, for the status line.
func (h jobTable) running(dir string) (count int) {
	all, err := h.parts.system.Jobs(dir).List(context.Background())
	if err != nil {
		return 0 // /jobs says why
	}
	for _, job := range all {
		if job.Running() {
			count++
		}
	}
	return count
}

// JobOutput implements [command.Host].
func (h jobTable) JobOutput(ctx context.Context, dir, id string) (string, error) {
	const lines = 40
	all, err := h.parts.system.Jobs(dir).List(ctx)
	for _, job := range all {
		if job.ID != id {
			continue
		}
		output, err := background.Tail(h.parts.config.Home, job, lines)
		if err != nil {
			return "", err
		}
		if output == "" {
			output = "(no output)"
		}
		return background.Line(job, h.parts.world.Now()) + "\n" + tools.Visible(output), nil
	}
	if err != nil {
		return "", err
	}
	return "", fmt.Errorf("%w: %s; /jobs lists them", joblist.ErrNoJob, id)
}

// CancelJob implements [command.Host].
func (h jobTable) CancelJob(ctx context.Context, dir, id string) (string, error) {
	job, err := h.parts.system.Jobs(dir).Cancel(ctx, id)
	if err != nil {
		return "", err
	}
	return background.Line(job, h.parts.world.Now()), nil
}
