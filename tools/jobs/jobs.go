package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/background"
)

type jobsArgs struct {
	Action  string `json:"action" doc:"Action" enum:"list,tail,wait,cancel" default:"list"`
	ID      string `json:"job_id" doc:"Leave it out to wait for the first job that ends" default:"" alias:"id,job"`
	Lines   int    `json:"lines" doc:"Of output" default:"40" min:"1" max:"500"`
	Timeout int    `json:"timeout" doc:"Seconds to wait" default:"60" min:"1" max:"600" limits:"time"`
	Pattern string `json:"pattern" doc:"Wait until a line of its output matches" default:"" alias:"regex,until"`
	Since   int64  `json:"since" doc:"Only output behind this byte: what the last look named" default:"0" min:"0" alias:"offset"`
}

func (in jobsArgs) limit() time.Duration { return time.Duration(in.Timeout) * time.Second }

func (s Service) jobsTool() tools.Tool {
	return tools.New(tools.Def[jobsArgs]{
		Fold: func(arguments map[string]any) { // who names a pattern waits for it
			if arguments["pattern"] != nil && arguments["action"] == nil {
				arguments["action"] = "wait"
			}
		},
		Name: "jobs",
		Doc:  "Background work: list it, show the end of its output or what is new, wait for its end or a line of its output, or cancel it with all its processes.",
		Examples: []string{
			"list the background jobs", "cancel the background job {cmd-k3f9x|job_id} {=cancel|action}", "wait for the background job {cmd-k3f9x|job_id} {=wait|action}",
		},
		// Agent: it waits for others, and must not take the place of those that work.
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
		chosen = same(all, chosen)
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

// wait returns when one of the jobs ended, or its time is up, which is no error.
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

// find is the job that is meant; to wait without a name means all that run.
func find(all []tools.Job, id, action string) ([]tools.Job, error) {
	named, running := sift(all, id)
	switch {
	case named != nil:
		return named, nil
	case id != "":
		if len(all) == 0 {
			return nil, tools.Advise(fmt.Errorf("%w: %s", joblist.ErrNoJob, tools.Visible(id)), "There are none here at all.")
		}
		return nil, tools.Advise(fmt.Errorf("%w: %s", joblist.ErrNoJob, tools.Visible(id)), "Jobs: %s", ids(all))
	case len(running) == 0:
		return nil, errors.New("no background job is running")
	case action == "wait" || len(running) == 1:
		return running, nil
	}
	return nil, tools.Advise(fmt.Errorf("%d jobs are running; say which one", len(running)), "Give job_id: %s", ids(running))
}

// sift finds the job with a name, where there is one, and those that run.
func sift(all []tools.Job, id string) (named, running []tools.Job) {
	for _, job := range all {
		if named == nil && job.ID == id {
			named = []tools.Job{job}
		}
		if job.Running() {
			running = append(running, job)
		}
	}
	return named, running
}

func ids(all []tools.Job) string {
	names := make([]string, len(all))
	for i, job := range all {
		names[i] = job.ID
	}
	return strings.Join(names, ", ")
}

// same are the chosen jobs as they are now.
func same(now, chosen []tools.Job) []tools.Job {
	for i, old := range chosen {
		for _, job := range now {
			if job.ID == old.ID {
				chosen[i] = job
			}
		}
	}
	return chosen
}

// report is a job with the end of its output.
func (s Service) report(env tools.Env, job tools.Job, in jobsArgs) string {
	text := background.Line(job, env.Now()) + "\n"
	if !job.Running() {
		s.told(env, job)
	}
	if job.Kind == tools.JobReview && !job.Running() {
		return s.reviewReport(env, job)
	}
	output, next, err := background.Since(s.home, job, in.Since, in.Lines)
	switch {
	case err != nil:
		return text + "[" + err.Error() + "]\n"
	case output == "" && in.Since > 0:
		text += "(nothing new)\n"
	case output == "":
		return text + "(no output yet)\n"
	}
	if !job.Running() && !strings.HasPrefix(output, "[…]") { // all of it is here
		return text + output
	}
	return text + output + s.elsewhere(env, job, next)
}

// table lists jobs, and takes those that ended for told.
func (s Service) table(env tools.Env, all []tools.Job) string {
	all = background.Recent(all, env.Now())
	if len(all) == 0 {
		return "There are no background jobs."
	}
	var text strings.Builder
	for _, job := range all {
		text.WriteString(background.Line(job, env.Now()) + "\n")
		if !job.Running() {
			s.told(env, job)
		}
	}
	return text.String()
}
