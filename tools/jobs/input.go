package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/background"
)

type inputArgs struct {
	ID   string `json:"job_id" doc:"Id of the job; the default is the only running job" default:"" alias:"id,job"`
	Text string `json:"text" doc:"Text to write, exactly as given; end each line with a line break" alias:"input,chars"`
	End  bool   `json:"end" doc:"Close the command's input after the text" default:"false" alias:"eof"`
}

// inputTool returns the tool that writes to a job's input. Permission checks treat the input as a
// command, because the job may be a shell.
func (s Service) inputTool() tools.Tool {
	return tools.New(tools.Def[inputArgs]{
		Name:     "job_input",
		Doc:      "Write to the standard input of a background job that was started with input: true.",
		Examples: []string{"write {yes|text} to the standard input of the background job {cmd-k3f9x|job_id}", "answer the question of the background job {cmd-k3f9x|job_id} with {y|text}"},
		Needs:    tools.Needs{Coding: true}, Effect: tools.Irreversible, Brings: tools.Private, State: "jobs", Pool: tools.Local,
		Confirm: func(_ tools.Env, in inputArgs) (title, detail string) {
			return "Write this to the input of a background job?", tools.Visible(in.Text) + "\nto " + tools.Visible(in.ID)
		},
		Command: func(in inputArgs) string { return in.Text },
		Run:     s.input,
	})
}

func (s Service) input(ctx context.Context, env tools.Env, in inputArgs) (tools.Output, error) {
	if env.Jobs == nil {
		env.Jobs = background.Records(s.home, env.Dir)
	}
	all, err := env.Jobs.List(ctx)
	if err != nil && len(all) == 0 {
		return tools.Output{}, err
	}
	chosen, err := find(all, in.ID, "write")
	if err != nil {
		return tools.Output{}, err
	}
	job := chosen[0]
	if !job.Running() {
		return tools.Output{}, fmt.Errorf("%s has ended: %s", job.ID, job.Note)
	}
	_, before, err := background.OutputSince(s.home, job, 0, 1)
	if err != nil {
		return tools.Output{}, err
	}
	if err := env.Jobs.Write(ctx, job.ID, in.Text, in.End); errors.Is(err, background.ErrNoInput) {
		return tools.Output{}, tools.Advise(fmt.Errorf("write to %s: %w", job.ID, err), "Start such work with run_command, with \"background\": true and \"input\": true.")
	} else if err != nil {
		return tools.Output{}, fmt.Errorf("write to %s: %w", job.ID, err)
	}
	moment, done := context.WithTimeout(ctx, answerWait)
	defer done()
	if all, err = env.Jobs.Wait(moment, []string{job.ID}); err == nil {
		job = current(all, []tools.Job{job})[0]
	}
	return tools.Output{Text: messages.Counted(len(in.Text), "byte") + " written. " + s.report(env, job, jobsArgs{Since: before, Lines: 40}), Offer: []string{"jobs"}}, nil
}

// answerWait is how long a call waits for the job's response to the input.
const answerWait = 500 * time.Millisecond
