package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/text"
	"marvin/tools/shell"
)

// In a comparison, several agents do the same task, each in its own worktree. An agent's work
// passes if the optional judge command exits with code 0.

const (
	own       = "marvin"         // Marvin's own name in the list of agents
	mostRival = 8                // maximum number of agents in one comparison
	judgeTime = 10 * time.Minute // timeout of the command that judges one agent's work
)

type verdict struct {
	passed bool
	text   string // "" if the work was not judged
}

// rivals returns one task for each agent in a comparison.
func (in launchArgs) rivals() ([]task, error) {
	switch {
	case strings.TrimSpace(in.Prompt) == "" || len(in.Tasks) > 0:
		return nil, tools.Advise(errors.New("\"compare\" works with one task only"), `Give "prompt" instead of "tasks", and "compare": ["claude", "codex", "marvin"].`)
	case len(in.Compare) < 2 || len(in.Compare) > mostRival:
		return nil, fmt.Errorf("\"compare\" takes 2 to %d agents, not %d", mostRival, len(in.Compare))
	case in.onFleet() || in.ReadOnly || in.Agent != "":
		return nil, tools.Advise(errors.New("\"compare\" runs each agent on this machine, on its own branch"), "Leave out \"where\", \"read_only\" and \"agent\".")
	}
	var all []task
	for i, name := range in.Compare {
		if name = strings.TrimSpace(name); name == "" || slices.Contains(in.Compare[:i], name) {
			return nil, fmt.Errorf("the name of agent %d of the comparison, %q, is empty or used twice", i+1, name)
		}
		one := task{Prompt: in.Prompt, Name: name, Agent: name, Worktree: true}
		if name == own {
			one.Agent = ""
		} else if model, is := strings.CutPrefix(name, own+":"); is {
			one.Agent, one.Model = "", model
		}
		all = append(all, one)
	}
	return all, nil
}

// checkJudge returns an error if the judge command is not allowed. If no user is present, the
// command must occur in the part of the prompt that the user typed.
func (in launchArgs) checkJudge(env tools.Env) error {
	switch {
	case in.Judge == "":
		return nil
	case len(in.Compare) == 0:
		return tools.Advise(errors.New("\"judge\" works only with \"compare\""), "Put the agents into \"compare\", or run the command yourself afterwards.")
	case !env.Person && !strings.Contains(env.Typed, in.Judge):
		return tools.Advise(errors.New("\"judge\" must be a command that the user typed in this turn, because there is no user to ask"), "Leave \"judge\" out, and tell the user that they can write the command in a prompt.")
	}
	return nil
}

// judgment describes the judge command for the approval question.
func (in launchArgs) judgment() string {
	if in.Judge == "" {
		return ""
	}
	return "This command will judge the work of each agent. It runs in the sandbox, in the agent's worktree:\n" + in.Judge
}

// judgeAll commits each agent's work, and then runs the command in the agent's worktree. The
// sandbox confines the command even if the user approved the call, because the command starts
// programs that the agents wrote.
func judgeAll(ctx context.Context, env tools.Env, command string, jobs []job) {
	for i := range jobs {
		if command == "" || jobs[i].worktree == nil || ctx.Err() != nil {
			continue
		}
		_, _ = jobs[i].worktree.keep(ctx, env, jobs[i].task.Name) // the report gives the reason for a failure
		there := env
		there.Dir, there.Root, there.Approved = jobs[i].worktree.path, jobs[i].worktree.path, false
		code, last, err := shell.Attempt(ctx, there, command, judgeTime)
		made := verdict{passed: err == nil && code == 0, text: "passed"}
		switch {
		case errors.Is(err, tools.ErrDeadline):
			made.text = fmt.Sprintf("not judged: the command took more than %s", judgeTime)
		case err != nil:
			made.text = "not judged: " + line(err.Error())
		case code != 0:
			made.text = strings.TrimSuffix(fmt.Sprintf("failed with exit code %d: %s", code, line(last)), ": ")
		}
		jobs[i].verdict = made
	}
}

func comparisonTable(jobs []job, reports []tools.Report, branches []string) string {
	var table strings.Builder
	table.WriteString("| agent | result | judged | rounds | cost | time | work |\n|---|---|---|---|---|---|---|\n")
	var passed []string
	for i, one := range jobs {
		report, cost := reports[i], "unknown"
		if !report.Unpriced {
			cost = fmt.Sprintf("$%.4f", report.Usage.Cost)
		}
		result := strings.TrimSuffix(fmt.Sprintf("%s: %s", report.Outcome, line(report.Err)), ": ")
		cells := []string{one.rival, result, first(one.verdict.text, "no"), fmt.Sprint(report.Rounds), cost, report.Took.Round(100 * time.Millisecond).String(), branches[i]}
		for n := range cells {
			cells[n] = strings.ReplaceAll(tools.Visible(cells[n]), "|", "¦")
		}
		table.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		if one.verdict.passed {
			passed = append(passed, one.rival)
		}
	}
	if slices.ContainsFunc(jobs, func(one job) bool { return one.verdict.text != "" }) {
		fmt.Fprintf(&table, "\n%d of %s passed", len(passed), messages.Counted(len(jobs), "agent"))
		if len(passed) > 0 {
			table.WriteString(": " + strings.Join(passed, ", "))
		}
		table.WriteString(".\n")
	}
	return table.String() + "\n"
}

func line(said string) string { return text.Clip(text.OneLine(said), 160) }
