package agents

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/tools"
)

func (s Service) launch(ctx context.Context, env tools.Env, in launchArgs) (tools.Output, error) {
	// The command "marvin tool launch_agent" runs the tool outside a conversation.
	if env.Agents == nil && env.Depth() == 0 && env.Compact == nil {
		return tools.Output{}, tools.Advise(errors.New("sub-agents need a conversation to report to, and there is none here"), "Start a conversation, for example with marvin -p 'launch an agent that …'.")
	}
	if env.Agents == nil || env.Depth() > 0 {
		return tools.Output{}, tools.Advise(errors.New("sub-agents cannot launch sub-agents (MARVIN_DEPTH)"), "Do the task yourself.")
	}
	given, err := in.list()
	if err == nil {
		err = in.checkJudge(env)
	}
	if err != nil {
		return tools.Output{}, err
	}
	if where := strings.ToLower(in.Where); where != "here" && where != "fleet" {
		return tools.Output{}, fmt.Errorf("\"where\" must be \"here\" or \"fleet\", not %q", in.Where)
	}
	jobs := make([]job, len(given))
	for i, one := range given {
		if jobs[i], err = s.prepare(env, in, one, i); err != nil {
			return tools.Output{}, fmt.Errorf("task %d: %w", i+1, err)
		}
	}
	tasks := make([]tools.Task, len(jobs))
	for i := range jobs {
		if err := jobs[i].settle(ctx, env); err != nil {
			clear(ctx, env, jobs)
			return tools.Output{}, fmt.Errorf("task %d: %w", i+1, err)
		}
		tasks[i] = jobs[i].taskForAgent(env)
	}
	reports := env.Agents(ctx, in.Parallel, tasks)
	for i := range min(len(jobs), len(reports)) {
		reports[i].Text += formatPatch(reports[i].Patch)
	}
	judgeAll(ctx, env, in.Judge, jobs)
	output := tools.Output{Text: s.report(ctx, env, jobs, reports), Summary: countDone(reports, len(jobs))}
	if ctx.Err() != nil { // the report contains the incomplete work so far
		return output, context.Cause(ctx)
	}
	return output, nil
}
