package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/jail/copies"
	"marvin/tools/internal/proc"
)

// attempts is the maximum number of attempts at a task. Marvin tries again only if the agent hangs.
const attempts = 2

// The second attempt's prompt begins with this text.
const again = "An earlier attempt at this task hung and was stopped. It may have changed files already; look at them first.\n\n"

// Job runs a task with one agent.
type Job struct {
	Agent Agent
	Env   tools.Env // the environment of the call that launched the task
	Own   bool      // the directory is a separate worktree, whose branch contains the changes
}

// Run runs the task. It always returns a report of how the task ended.
func (j Job) Run(ctx context.Context, task tools.Task, say func(tools.TaskProgress)) tools.Report {
	env, dir := j.Env, cmp.Or(task.Dir, j.Env.Dir)
	env.Dir = dir
	root := env.HeldTo()
	if task.Own || root == "" {
		root = dir
	}
	unlock, err := places.enter(ctx, root)
	if err != nil {
		return failed(err)
	}
	defer unlock()
	readOnly := task.ReadOnly || env.ReadOnly || env.WantsPlan()
	before, err := j.snapshot(root, readOnly)
	if err != nil {
		return failed(fmt.Errorf("copy the files that the agent may change: %w", err))
	}
	var report tools.Report
	spent := tools.Report{}
	for number := range attempts {
		prompt := task.Prompt
		if number > 0 {
			prompt = again + prompt
		}
		var err error
		report, err = j.attempt(ctx, root, dir, prompt, readOnly, func(doing tools.TaskProgress) {
			doing.Rounds += spent.Rounds
			doing.Usage = doing.Usage.Plus(spent.Usage)
			say(doing)
		})
		report.Rounds += spent.Rounds
		report.Usage = report.Usage.Plus(spent.Usage)
		report.Unpriced = report.Unpriced || spent.Unpriced
		spent = report
		if !errors.Is(err, errSilent) || ctx.Err() != nil {
			break
		}
		if number+1 < attempts {
			say(tools.TaskProgress{Title: "hangs; Marvin is starting it again", Rounds: spent.Rounds, Usage: spent.Usage})
		}
	}
	report.Text = strings.TrimSpace(report.Text + "\n\n" + j.keepChanges(before))
	if cost := report.Usage.Cost; cost > 0 {
		report.Usage.ModelCost = map[string]float64{"agent " + j.Agent.Name: cost}
	}
	return report
}

func failed(err error) tools.Report {
	return tools.Report{Outcome: messages.Failed, Err: err.Error(), Unpriced: true}
}

// attempt invokes the agent, gives it the task, and stops all its processes at the end.
func (j Job) attempt(ctx context.Context, root, dir, prompt string, readOnly bool, say func(tools.TaskProgress)) (tools.Report, error) {
	lodging, err := j.Env.Sandbox.Lodging()
	if err != nil {
		return failed(err), err
	}
	defer func() { _ = lodging.Close() }()
	if err := j.Agent.copyLogins(j.Env.Home, lodging.Home()); err != nil {
		return failed(err), err
	}
	cell, err := j.jail(root, lodging, readOnly)
	if err != nil {
		return failed(err), err
	}
	command := proc.Command{
		Name: j.Agent.Command[0], Args: j.Agent.Command[1:], Dir: dir, Environ: j.Env.Environ, Env: j.Agent.variables(j.Env.Environ), Jail: cell, Ends: true, Grace: time.Second / 2, Limit: 8 << 10,
		Shown: programDirs(j.Agent.Command[0], j.Env.Environ),
	}
	if cell == nil {
		command.Env = append(lodging.Environ(), command.Env...)
	} else {
		command.Args = slices.Concat(command.Args, j.Agent.Held)
	}
	program, err := proc.Serve(command)
	if err != nil {
		err = tools.AdviseUnconfined(fmt.Errorf("start %s: %w", j.Agent.Command[0], err))
		return failed(err), err
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	t := &talk{conn: connect(life, program.Stdout, program.Stdin), agent: j.Agent, env: j.Env, readOnly: readOnly, held: cell != nil, dir: dir, say: say}
	stop, err := t.perform(ctx, prompt)
	program.Stop()
	end()
	<-t.over // wait for the reader to end
	if errors.Is(err, errGone) || errors.Is(err, syscall.EPIPE) {
		err = ending(program)
	}
	report := tools.Report{Text: t.text(), Usage: t.doing.Usage, Rounds: t.doing.Rounds, Unpriced: !t.priced}
	report.Outcome, report.Err = outcome(ctx, stop, err)
	return report, err
}

// outcome returns how the task ended, and the reason if there is one.
func outcome(ctx context.Context, stop string, err error) (messages.Outcome, string) {
	switch {
	case ctx.Err() != nil:
		return messages.Cancelled, ""
	case errors.Is(err, errSilent):
		return messages.Failed, fmt.Sprintf("timed out: %v; a second attempt timed out, too", err)
	case err != nil:
		return messages.Failed, err.Error()
	}
	switch stop {
	case "end_turn":
		return messages.Completed, ""
	case "cancelled":
		return messages.Cancelled, "the agent reports that it was cancelled"
	case "refusal":
		return messages.Failed, errRefused.Error() + ": its model refused this task"
	case "max_tokens":
		return messages.Incomplete, "the agent reached the output limit of its model"
	case "max_turn_requests":
		return messages.Incomplete, "the agent reached its request limit"
	}
	return messages.Failed, fmt.Sprintf("the agent broke the protocol: it ended for the unknown reason %q", oneLine(tools.Visible(stop)))
}

// ending describes how a program ended. The error includes the last line of the program's standard
// error.
func ending(program *proc.Served) error {
	said := strings.TrimSpace(program.StderrText())
	if at := strings.LastIndexByte(said, '\n'); at >= 0 {
		said = said[at+1:]
	}
	how := fmt.Sprintf("its program ended with exit code %d", program.Ended().ExitCode)
	if signal := program.Ended().Signal; signal != "" {
		how = "its program was ended by a signal: " + signal
	}
	if said != "" {
		how += ": " + tools.Visible(oneLine(said))
	}
	return errors.New(how)
}

// jail returns the agent's jail, or nil if the agent runs without a sandbox. Unlike a command, the
// agent can contact the hosts in j.Agent.Hosts and has its own home directory.
func (j Job) jail(root string, lodging *jail.Lodging, readOnly bool) (*jail.Jail, error) {
	env := j.Env
	if j.Agent.Free || env.Sandbox.Mode() == tools.SandboxOff {
		if readOnly {
			return nil, errors.New("\"read_only\" needs the sandbox, which does not work here; if the agent is allowed to change files, launch it without \"read_only\"")
		}
		return nil, nil
	}
	env.Speaks, env.Line = j.Agent.Hosts, strings.Join(j.Agent.Command, " ")
	if env.Tainted == "" {
		env.Tainted = "the agent " + j.Agent.Name // the agent's text is untrusted
	}
	cell, err := env.JailAlways(root)
	if err != nil {
		return nil, tools.AdviseUnconfined(err)
	}
	return cell.Lodged(lodging, readOnly), nil
}

// snapshot creates a copy of the files below root, so that the agent's changes can be undone. A
// separate worktree needs no copy, because the worktree's branch contains the changes.
func (j Job) snapshot(root string, readOnly bool) (*copies.Before, error) {
	if j.Own || readOnly || j.Env.Sandbox == nil {
		return nil, nil
	}
	return j.Env.Sandbox.Snapshot(root)
}

// mostNamed is the maximum number of changed files in the report.
const mostNamed = 30

// keepChanges stores the agent's changes so that the user can undo them. It returns a list of the
// changed files, because the agent's own report can be wrong.
func (j Job) keepChanges(before *copies.Before) string {
	if before == nil {
		return ""
	}
	changes, unsaved := before.EndSnapshot()
	if len(changes)+len(unsaved) == 0 {
		return "[Marvin checked: the agent changed no file]"
	}
	var kept []tools.FileChange
	var names []string
	for _, one := range changes {
		path := filepath.Join(before.Root(), filepath.FromSlash(one.Name))
		kept = append(kept, tools.FileChange{
			Dir: before.Root(), Name: one.Name, Path: path, Before: one.Before, After: one.After, BeforeMode: one.WasMode, AfterMode: one.IsMode,
		})
		j.Env.Seen.Change(path)
		switch {
		case one.Before == nil:
			names = append(names, one.Name+" (new)")
		case one.After == nil:
			names = append(names, one.Name+" (deleted)")
		default:
			names = append(names, one.Name)
		}
	}
	undo := "Marvin cannot undo that"
	if j.Env.Undo != nil && len(kept) > 0 {
		j.Env.Undo.Keep(kept)
		undo = "/undo reverts that"
	}
	for _, name := range unsaved {
		names = append(names, name+" (too large to undo)")
	}
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("[Marvin checked: the agent changed %s; %s]", tools.Visible(strings.Join(names, ", ")), undo)
}

// queue lets only one agent at a time run in a directory. Marvin compares the directory before and
// after each run, so it could not tell which of two agents made a change.
type queue struct {
	mu    sync.Mutex
	taken map[string]chan struct{}
}

var places = &queue{taken: map[string]chan struct{}{}}

func (q *queue) enter(ctx context.Context, root string) (leave func(), err error) {
	for {
		q.mu.Lock()
		other, busy := q.taken[root]
		if !busy {
			mine := make(chan struct{})
			q.taken[root] = mine
			q.mu.Unlock()
			return func() {
				q.mu.Lock()
				defer q.mu.Unlock()
				delete(q.taken, root)
				close(mine)
			}, nil
		}
		q.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
