package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/slash"
)

type jobs struct{ *Env }

// take executes /jobs. Without an argument it lists the running work: the model's tool calls, the
// user's shell commands and the background jobs. With an ID it shows that job, and with "cancel ID"
// it cancels the job.
func (j jobs) take(text string) {
	word, id := slash.CutWord(text)
	dir := j.Talk.Dir
	switch strings.ToLower(word) {
	case "":
		j.list(dir)
	case "cancel", "stop", "kill":
		if id == "" {
			j.warn("Usage: /jobs cancel ID ends a background job; /jobs lists them.")
			return
		}
		j.runOutside("cancel "+id, func(ctx context.Context) func() { return j.show(j.Host.CancelJob(ctx, dir, id)) })
	default:
		j.runOutside("look at "+word, func(ctx context.Context) func() { return j.show(j.Host.JobOutput(ctx, dir, word)) })
	}
}

func (j jobs) list(dir string) {
	now := j.Now()
	var lines []string
	line := func(what string, since time.Time) {
		lines = append(lines, fmt.Sprintf("  %6s  %s", now.Sub(since).Round(time.Second), what))
	}
	for _, running := range j.Talk.Calls {
		line(running.Title, running.Begun)
	}
	for _, number := range j.order() {
		if job := j.work[number]; job.shell {
			line("$ "+job.name, job.since)
		}
	}
	j.runOutside("list the background jobs", func(ctx context.Context) func() {
		jobs, err := j.Host.Jobs(ctx, dir)
		return func() {
			var parts []string
			if len(lines) > 0 {
				parts = append(parts, "Running:\n"+strings.Join(lines, "\n"))
			}
			if len(jobs) > 0 {
				parts = append(parts, "In the background (/jobs ID shows the output, /jobs cancel ID ends the job):\n  "+strings.Join(jobs, "\n  "))
			}
			if len(parts) == 0 && err == nil {
				parts = []string{"Nothing is running."}
			}
			if len(parts) > 0 {
				j.say(strings.Join(parts, "\n"))
			}
			if err != nil {
				j.fail(err)
			}
		}
	})
}

// Background moves the running command of the turn to the background.
func (e *Env) Background() {
	for _, running := range e.work {
		if running.shell {
			e.warn("A ! command cannot move to the background. It can run for at most two minutes; for longer work, /shell opens a shell.")
			return
		}
	}
	e.ask("go on in the background", messages.Background{})
}
