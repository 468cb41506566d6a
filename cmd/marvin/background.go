package main

import (
	"context"
	"fmt"
	"strings"

	"marvin/actors"
	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/background"
)

// Background work as a person sees it: in /jobs, and when the program ends.

// start grows the tree of actors.
func (p *parts) start() *actors.System {
	p.system = actors.Start(p.config)
	return p.system
}

// sayLeft lists what continues after the program ends.
func (p *parts) sayLeft() {
	left := p.system.Left()
	if len(left) == 0 {
		return
	}
	var text strings.Builder
	text.WriteString("Left running in the background:\n")
	for _, job := range left {
		fmt.Fprintf(&text, "  %s, pid %d: %s", job.ID, job.PID, job.Title)
		if job.Log != "" {
			text.WriteString("; output in " + job.Log)
		}
		text.WriteByte('\n')
	}
	text.WriteString("To end one: kill -- -PID; or start marvin in the same directory again and use /jobs.")
	fmt.Fprintln(p.world.Stderr, text.String())
}

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
	return "", fmt.Errorf("%w: %s; /jobs lists them", persistence.ErrNoJob, id)
}

// CancelJob implements [command.Host].
func (h jobTable) CancelJob(ctx context.Context, dir, id string) (string, error) {
	job, err := h.parts.system.Jobs(dir).Cancel(ctx, id)
	if err != nil {
		return "", err
	}
	return background.Line(job, h.parts.world.Now()), nil
}
