package jobs

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"time"

	"marvin/tools"
	"marvin/tools/background"
)

// elsewhere says where the whole output of a job is, and how one sees only what is new.
func (s Service) elsewhere(env tools.Env, job tools.Job, next int64) string {
	path := job.Log
	if inside, err := filepath.Rel(env.Dir, job.Log); env.Dir != "" && err == nil && filepath.IsLocal(inside) {
		path = inside
	}
	note := fmt.Sprintf("[all %d bytes: read_file or code_grep with path %q", next, path)
	if job.Running() {
		note += fmt.Sprintf("; for later output: jobs tail with since %d", next)
	}
	return note + "]\n"
}

// glance is how often a job's output is checked while a call waits for a line.
const glance = 200 * time.Millisecond

// await waits for a line of the output of one job, its end, or the deadline.
func (s Service) await(ctx context.Context, env tools.Env, chosen []tools.Job, in jobsArgs) (tools.Output, error) {
	pattern, err := regexp.Compile(in.Pattern)
	if err != nil {
		return tools.Output{}, tools.Advise(fmt.Errorf("pattern: %w", err), "Give a regular expression of Go, such as (?i)listening on.")
	}
	if len(chosen) > 1 {
		return tools.Output{}, tools.Advise(fmt.Errorf("%d jobs are running; say which one", len(chosen)), "Give job_id: %s", ids(chosen))
	}
	job, offset := chosen[0], in.Since
	env.Progress(fmt.Sprintf("waiting for %s in the output of %s", in.Pattern, job.ID))
	short, stop := context.WithTimeout(ctx, in.limit())
	defer stop()
	for {
		ended := !job.Running() // before the output is read: what it wrote last counts
		line, next, err := background.Finds(s.home, job, pattern, offset)
		switch {
		case err != nil:
			return tools.Output{}, err
		case line != "":
			return tools.Output{Text: fmt.Sprintf("It wrote a line that matches: %s\n", tools.Visible(line)) + s.report(env, job, in)}, nil
		case ended:
			return tools.Output{Text: "It ended, and no line of its output matches.\n" + s.report(env, job, in)}, nil
		}
		offset = next
		moment, done := context.WithTimeout(short, glance)
		all, err := env.Jobs.Wait(moment, []string{job.ID})
		done()
		switch {
		case ctx.Err() != nil:
			return tools.Output{}, context.Cause(ctx)
		case err != nil && len(all) == 0:
			return tools.Output{}, err
		}
		job = same(all, []tools.Job{job})[0]
		if short.Err() != nil && job.Running() {
			return tools.Nothing(fmt.Sprintf("No line matched within %s.\n", in.limit()) + s.report(env, job, in)), nil
		}
	}
}
