package jobs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/background"
)

type statusArgs struct {
	ID  string `json:"job_id" doc:"Id of the review; the default is the running or the last review" default:"" alias:"id"`
	Dir string `json:"working_dir" doc:"Directory of the project; the default is the working directory" default:"" alias:"dir"`
}

func (s Service) statusTool() tools.Tool {
	return tools.New(tools.Def[statusArgs]{
		Name: "review_status",
		Doc:  "Show the progress of a background code review, or its report.",
		Examples: []string{
			"how far along is the code review", "show the result of the review {review-k3f9x|job_id}",
		},
		Dirs:  func(in statusArgs) []string { return []string{in.Dir} },
		Needs: tools.Needs{Coding: true}, State: "jobs", Pool: tools.Local, Run: s.status,
	})
}

func (s Service) status(ctx context.Context, env tools.Env, in statusArgs) (tools.Output, error) {
	if in.Dir == "" && env.Dir == "" {
		return tools.Output{}, tools.Advise(errors.New("no working directory is set"), "Give working_dir, or call set_working_dir first.")
	}
	dir, err := place(env, in.Dir)
	if err != nil {
		return tools.Output{}, err
	}
	all, err := s.list(ctx, env, dir)
	reviews := lists.Filter(all, func(job tools.Job) bool { return job.Kind == tools.JobReview && job.Dir == dir })
	chosen, missing := pick(reviews, in.ID)
	if missing != nil {
		return tools.Output{}, errors.Join(missing, err)
	}
	var text strings.Builder
	for _, job := range chosen {
		text.WriteString(s.reviewReport(env, job))
		if !job.Running() {
			s.markRead(env, job)
		}
	}
	return tools.Output{Text: text.String()}, nil
}

// place returns the directory with the given name, or the working directory if the name is blank.
// [tools.Env.Enter] checks every directory except the working directory.
func place(env tools.Env, dir string) (string, error) {
	if named, err := env.Directory(dir); strings.TrimSpace(dir) == "" || err == nil && named == env.Dir {
		return env.Dir, nil
	}
	real, err := env.Enter(dir)
	if err != nil && !errors.Is(err, tools.ErrForbidden) {
		return "", tools.Advise(fmt.Errorf("%s is not a directory: %w", dir, err), "Give the project's directory as working_dir.")
	}
	return real, err
}

// list returns the conversation's jobs. If dir is not the working directory, list adds the recorded
// jobs of dir. If env.Jobs is nil, list returns only the recorded jobs of dir.
func (s Service) list(ctx context.Context, env tools.Env, dir string) ([]tools.Job, error) {
	if env.Jobs == nil {
		return background.Recorded(s.home, dir)
	}
	all, err := env.Jobs.List(ctx)
	if dir == env.Dir {
		return all, err
	}
	more, failed := background.Recorded(s.home, dir)
	return background.Merge(all, more), errors.Join(err, failed)
}

// pick returns the review with the given ID. If id is empty, it returns all running reviews or, if
// none is running, the last review.
func pick(reviews []tools.Job, id string) ([]tools.Job, error) {
	if len(reviews) == 0 {
		return nil, tools.Advise(errors.New("no code review of this project was found"), "review_codebase begins one.")
	}
	named, running := sift(reviews, id)
	switch {
	case named != nil:
		return named, nil
	case id != "":
		return nil, tools.Advise(fmt.Errorf("%w: %s", joblist.ErrNoJob, id), "Reviews here: %s", ids(reviews))
	case len(running) > 0:
		return running, nil
	}
	return reviews[len(reviews)-1:], nil
}

// reviewReport describes the state of a review, and includes the report if there is one.
func (s Service) reviewReport(env tools.Env, job tools.Job) string {
	files := joblist.New(s.home, job.Dir)
	said := background.ReviewAccount(files, job.ID)
	var text strings.Builder
	text.WriteString(background.Line(job, env.Now()) + "\n")
	phase := string(job.State)
	if job.Running() {
		phase = "reading"
		if said.Rounds == 0 {
			phase = "beginning"
		} else if said.Result != "" {
			phase = "writing"
		}
	}
	fmt.Fprintf(&text, "phase: %s, %s of tools\n", phase, messages.Counted(said.Rounds, "round"))
	if said.Usage.Turns > 0 {
		fmt.Fprintf(&text, "cost: $%.4f, %d round trips\n", said.Usage.Cost, said.Usage.Turns)
	}
	switch file, err := files.Get(job.ID); {
	case said.Result != "" && job.Running():
		text.WriteString("It says so far:\n" + background.LastLines(said.Result, 20, false))
	case said.Result != "":
		text.WriteString("\n" + said.Result + "\n")
	case err == nil && file.Result != nil: // the job file contains the result, but the log does not
		text.WriteString("\n" + *file.Result + "\n")
	case job.State == tools.JobDead:
		text.WriteString("Marvin does not know how the review ended. Start another one with review_codebase.\n")
	}
	return text.String()
}

func (s Service) markRead(env tools.Env, job tools.Job) {
	if env.Jobs != nil {
		env.Jobs.MarkRead(job.ID)
	}
	if job.Stray {
		background.MarkReported(s.home, job.Dir, job.ID)
	}
}

// sift returns two lists. The first contains the job with the given ID, if that job exists. The
// second contains all running jobs.
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
	names := lists.Map(all, func(job tools.Job) string { return job.ID })
	return strings.Join(names, ", ")
}
