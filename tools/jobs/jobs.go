package jobs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/background"
)

// Tools returns the tools for background work.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.reviewTool(), s.statusTool(), s.jobsTool(), s.inputTool()}
}

type jobsArgs struct {
	Action  string `json:"action" doc:"What to do" enum:"list,tail,wait,cancel" default:"list"`
	ID      string `json:"job_id" doc:"Id of the job; without it, the call returns when any job ends" default:"" alias:"id,job"`
	Lines   int    `json:"lines" doc:"Number of lines to show" default:"40" min:"1" max:"500"`
	Timeout int    `json:"timeout" doc:"Seconds to wait" default:"60" min:"1" max:"600" limits:"time"`
	Pattern string `json:"pattern" doc:"Wait until a line of the output matches" default:"" alias:"regex,until"`
	Since   int64  `json:"since" doc:"Show only output after this byte; use the number that the previous call returned" default:"0" min:"0" alias:"offset"`
}

func (in jobsArgs) limit() time.Duration { return time.Duration(in.Timeout) * time.Second }

func (s Service) jobsTool() tools.Tool {
	return tools.New(tools.Def[jobsArgs]{
		Fold: func(arguments map[string]any) { // a call with a pattern but no action waits for the pattern
			if arguments["pattern"] != nil && arguments["action"] == nil {
				arguments["action"] = "wait"
			}
		},
		Name: "jobs",
		Doc:  "List background jobs, show their last or new output, wait until a job ends or prints a line, or cancel a job with all its processes.",
		Examples: []string{
			"list the background jobs", "cancel the background job {cmd-k3f9x|job_id} {=cancel|action}", "wait for the background job {cmd-k3f9x|job_id} {=wait|action}",
		},
		// The pool is Agent, so that a waiting call does not occupy a slot that the job needs.
		Needs: tools.Needs{Coding: true}, State: "jobs", Pool: tools.Agent, Timeout: time.Minute,
		TimeoutFor: func(in jobsArgs) time.Duration {
			if in.Action == "wait" {
				return in.limit() + 10*time.Second
			}
			return time.Minute
		},
		Run: s.jobs,
	})
}

func (s Service) jobs(ctx context.Context, env tools.Env, in jobsArgs) (tools.Output, error) {
	if env.Jobs == nil {
		env.Jobs = background.Records(s.home, env.Dir)
	}
	all, err := env.Jobs.List(ctx)
	if err != nil && len(all) == 0 {
		return tools.Output{}, err
	}
	if in.Action == "list" {
		return tools.Output{Text: s.table(env, all)}, nil
	}
	chosen, err := find(all, in.ID, in.Action)
	if err != nil {
		return tools.Output{}, err
	}
	switch in.Action {
	case "wait":
		if in.Pattern != "" {
			return s.await(ctx, env, chosen, in)
		}
		all, err = s.wait(ctx, env, chosen, in.limit())
		if err != nil {
			return tools.Output{}, err
		}
		chosen = current(all, chosen)
	case "cancel":
		if !chosen[0].Running() {
			return tools.Output{Text: "It had ended already.\n" + s.report(env, chosen[0], in)}, nil
		}
		job, err := env.Jobs.Cancel(ctx, chosen[0].ID)
		if err != nil {
			return tools.Output{}, err
		}
		chosen = []tools.Job{job}
	}
	var text strings.Builder
	for _, job := range chosen {
		text.WriteString(s.report(env, job, in))
	}
	return tools.Output{Text: text.String(), Empty: in.Action == "wait" && !slices.ContainsFunc(chosen, ended)}, nil
}

func ended(job tools.Job) bool { return !job.Running() }

// wait returns when one of the jobs has ended, or when the time limit is reached. Reaching the
// limit is not an error.
func (s Service) wait(ctx context.Context, env tools.Env, chosen []tools.Job, limit time.Duration) ([]tools.Job, error) {
	names := make([]string, len(chosen))
	for i, job := range chosen {
		if !job.Running() {
			return chosen, nil
		}
		names[i] = job.ID
	}
	env.Progress("waiting for " + strings.Join(names, ", "))
	short, stop := context.WithTimeout(ctx, limit)
	defer stop()
	all, err := env.Jobs.Wait(short, names)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return all, err
}

// find returns the job with the given ID. If id is empty, it returns the only running job or, if
// action is "wait", all running jobs.
func find(all []tools.Job, id, action string) ([]tools.Job, error) {
	named, running := sift(all, id)
	switch {
	case named != nil:
		return named, nil
	case id != "":
		if len(all) == 0 {
			return nil, tools.Advise(fmt.Errorf("%w: %s", joblist.ErrNoJob, tools.Visible(id)), "There are no background jobs here.")
		}
		return nil, tools.Advise(fmt.Errorf("%w: %s", joblist.ErrNoJob, tools.Visible(id)), "Jobs: %s", ids(all))
	case len(running) == 0:
		return nil, errors.New("no background job is running")
	case action == "wait" || len(running) == 1:
		return running, nil
	}
	return nil, tools.Advise(fmt.Errorf("%d jobs are running; say which one", len(running)), "Give one of these in \"job_id\": %s", ids(running))
}

// current replaces each chosen job with the job of the same ID in the latest list.
func current(latest, chosen []tools.Job) []tools.Job {
	for i, old := range chosen {
		for _, job := range latest {
			if job.ID == old.ID {
				chosen[i] = job
			}
		}
	}
	return chosen
}

// report describes a job and shows the latest output, or the report of an ended review. An ended
// job is marked as read.
func (s Service) report(env tools.Env, job tools.Job, in jobsArgs) string {
	text := background.Line(job, env.Now()) + "\n"
	if !job.Running() {
		s.markRead(env, job)
	}
	if job.Kind == tools.JobReview && !job.Running() {
		return s.reviewReport(env, job)
	}
	output, next, err := background.OutputSince(s.home, job, in.Since, in.Lines)
	switch {
	case err != nil:
		return text + "[" + err.Error() + "]\n"
	case output == "" && in.Since > 0:
		text += "(nothing new)\n"
	case output == "":
		return text + "(no output yet)\n"
	}
	if !job.Running() && !strings.HasPrefix(output, "[…]") { // the result contains the whole output
		return text + output
	}
	return text + output + s.outputNote(env, job, next)
}

// table returns the recent jobs, one per line, and marks the finished jobs as read.
func (s Service) table(env tools.Env, all []tools.Job) string {
	all = background.Recent(all, env.Now())
	if len(all) == 0 {
		return "There are no background jobs."
	}
	var text strings.Builder
	for _, job := range all {
		text.WriteString(background.Line(job, env.Now()) + "\n")
		if !job.Running() {
			s.markRead(env, job)
		}
	}
	return text.String()
}

// outputNote tells the model where a job's whole output is, and how to get only the new part.
func (s Service) outputNote(env tools.Env, job tools.Job, next int64) string {
	path := job.Log
	if inside, err := filepath.Rel(env.Dir, job.Log); env.Dir != "" && err == nil && filepath.IsLocal(inside) {
		path = inside
	}
	note := fmt.Sprintf("[to see all %d bytes: read_file or code_grep with path %q", next, path)
	if job.Running() {
		note += fmt.Sprintf("; for later output, call jobs with \"action\": \"tail\" and \"since\": %d", next)
	}
	return note + "]\n"
}

// glance is the interval at which s.await checks a job's output.
const glance = 200 * time.Millisecond

// await waits for a matching line in the output of one job, for the job's end, or for the deadline.
func (s Service) await(ctx context.Context, env tools.Env, chosen []tools.Job, in jobsArgs) (tools.Output, error) {
	pattern, err := regexp.Compile(in.Pattern)
	if err != nil {
		return tools.Output{}, tools.Advise(fmt.Errorf("pattern: %w", err), "Give a regular expression in Go's syntax, such as (?i)listening on.")
	}
	if len(chosen) > 1 {
		return tools.Output{}, tools.Advise(fmt.Errorf("%d jobs are running; say which one", len(chosen)), "Give one of these in \"job_id\": %s", ids(chosen))
	}
	job, offset := chosen[0], in.Since
	env.Progress(fmt.Sprintf("waiting for %s in the output of %s", in.Pattern, job.ID))
	short, stop := context.WithTimeout(ctx, in.limit())
	defer stop()
	for {
		ended := !job.Running() // this state is older than the output, so no output is missed
		line, next, err := background.FindLine(s.home, job, pattern, offset)
		switch {
		case err != nil:
			return tools.Output{}, err
		case line != "":
			return tools.Output{Text: fmt.Sprintf("A line of the output matches: %s\n", tools.Visible(line)) + s.report(env, job, in)}, nil
		case ended:
			return tools.Output{Text: "The job ended, and no line of its output matches.\n" + s.report(env, job, in)}, nil
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
		job = current(all, []tools.Job{job})[0]
		if short.Err() != nil && job.Running() {
			return tools.NoResults(fmt.Sprintf("No line matched within %s.\n", in.limit()) + s.report(env, job, in)), nil
		}
	}
}
