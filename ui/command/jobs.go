package command

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// jobs lists what is running: calls of the model, commands of the person, and work in
// the background. With the id of a job it shows that one, with a word before it ends it.
func (e *Engine) jobs(text string) {
	word, id := cutWord(text)
	dir := e.Talk.Dir
	switch strings.ToLower(word) {
	case "":
		e.listJobs(dir)
	case "cancel", "stop", "kill":
		if id == "" {
			e.warn("Usage: /jobs cancel ID ends a background job; /jobs lists them.")
			return
		}
		e.beside("cancel "+id, func(ctx context.Context) func() { return e.told(e.Host.CancelJob(ctx, dir, id)) })
	default:
		e.beside("look at "+word, func(ctx context.Context) func() { return e.told(e.Host.JobOutput(ctx, dir, word)) })
	}
}

// told says a text, or why there is none.
func (e *Engine) told(text string, err error) func() {
	return func() {
		if err != nil {
			e.fail(err)
			return
		}
		e.say(strings.TrimRight(text, "\n"))
	}
}

func (e *Engine) listJobs(dir string) {
	now := e.Now()
	var lines []string
	line := func(what string, since time.Time) {
		lines = append(lines, fmt.Sprintf("  %6s  %s", now.Sub(since).Round(time.Second), what))
	}
	for _, running := range e.Talk.Calls {
		line(running.Title, running.Begun)
	}
	for _, number := range e.order() {
		if job := e.work[number]; job.shell {
			line("$ "+job.name, job.since)
		}
	}
	e.beside("list the background jobs", func(ctx context.Context) func() {
		jobs, err := e.Host.Jobs(ctx, dir)
		return func() {
			var parts []string
			if len(lines) > 0 {
				parts = append(parts, "Running:\n"+strings.Join(lines, "\n"))
			}
			if len(jobs) > 0 {
				parts = append(parts, "In the background (/jobs ID shows the output, /jobs cancel ID ends it):\n  "+strings.Join(jobs, "\n  "))
			}
			if len(parts) == 0 && err == nil {
				parts = []string{"Nothing is running."}
			}
			if len(parts) > 0 {
				e.say(strings.Join(parts, "\n"))
			}
			if err != nil {
				e.fail(err)
			}
		}
	})
}
