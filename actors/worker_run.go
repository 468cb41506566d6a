package actors

import (
	"context"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// How a call runs: on a goroutine of its own, with what it may use.

// run takes a slot and does the work on a goroutine of its own. The deadline counts
// from the moment the slot is taken.
func (w *worker) run(c actor.Context) {
	ctx, cancel := context.WithCancelCause(context.Background())
	w.cancel = cancel
	w.attempt++
	call, turn, dir, pools := w.decoded, w.turn, w.conversation.Dir, w.pools
	name, args, recorder := w.call.Name, w.call.Args, w.recorder
	self, root, patient := c.Self(), c.ActorSystem().Root, w.patient()
	changed := &effect{}
	env := w.env(c, changed)
	env.Away = w.mayLeave()
	store, whole := w.keeps(root, &env), w.whole()
	env.Manual, env.Resource = w.config.Manual, resources(c.ActorSystem().Root, c.Self(), w.config)
	languages := languagesOf(w, c)
	if languages != nil {
		env.Languages = languages
	}
	task.Do(c, func() any {
		if err := turn.Wait(ctx); err != nil {
			return ran{err: err, cause: err}
		}
		leave, err := pools.enter(ctx, call.Tool, dir)
		if err != nil {
			return ran{err: err, cause: err}
		}
		defer leave()
		if err := w.config.begun(persistence.AuditedCall{Tool: name, Args: args, At: w.config.Now()}); err != nil { // guard: a call is logged before it runs
			root.Send(recorder, notKept{err: err})
		}
		w.intends(root, call.Tool)
		root.Send(self, slotTaken{})
		if !patient {
			timed, stop := context.WithTimeoutCause(ctx, call.Timeout, tools.ErrDeadline)
			defer stop()
			ctx = timed
		}
		output, err := call.Run(ctx, env)
		output = whole(output)
		store(call.Tool, output.Undo, err)
		languages.ran(call.Tool)
		output, changed.problems = languages.problems(ctx, call.Tool, env, output)
		changed.offer, changed.shown, changed.undo = output.Offer, output.Pictures, output.Undo
		return ran{output: output, err: err, cause: context.Cause(ctx), effect: *changed}
	}, func(panicked *task.Panicked) any { return ran{panic: panicked} })
}

// env is what the call may use. Its functions run on the call's goroutine.
func (w *worker) env(c actor.Context, changed *effect) tools.Env {
	self, root, call := c.Self(), c.ActorSystem().Root, w.call.ID
	return tools.Env{
		Home: w.config.Home.User, State: w.config.Home.State, Profile: w.config.Home.Profile(w.conversation.Profile).Dir,
		Dir: w.conversation.Dir, Coding: w.mode.Coding, Person: w.mode.Person, ReadOnly: w.mode.ReadOnly,
		Approval: w.conversation.Policy.Approval,
		Now:      w.config.Now, Environ: tools.Telling(w.config.Environ, w.mode),
		Root: w.conversation.Root, Held: tools.Held{Sandbox: w.config.Sandbox, Beyond: w.beyond, Approved: w.approved, Free: w.free},
		Progress: func(line string) { root.Send(self, progressed{line: line}) },
		Room:     w.room, Seen: w.seen, Trail: w.trail, Tainted: w.tainted,
		Artifacts: w.conversation.artifacts.get(),
		Conversation: tools.Conversation{
			Provider: w.conversation.Choice.Provider, Model: w.conversation.Choice.Model, Usage: w.usage,
			Agent: w.mode.Agent, Only: w.mode.Only,
			History: w.told(), Skill: w.skill, Definition: w.definition,
			Ask:    w.asker(c),
			Jobs:   jobsClient{root: root, table: w.jobs, home: w.config.Home, dir: w.conversation.Dir, asker: asker{session: w.session, agent: w.mode.Agent}},
			Agents: launcher(c),

			SetDir:     func(path string) error { changed.dir, changed.chosen = path, w.approved; return nil },
			SetProfile: func(name string) error { changed.profile = name; return nil },
			Compact:    func() { changed.compact = true },
			SetPlan:    func(is messages.Plan) { changed.plan = &plan{is: is, call: call} },
			Exit:       func() { changed.exit = true },
		},
	}
}

func (w *worker) started(c actor.Context) {
	if w.done {
		return
	}
	w.begun = w.config.Now()
	if w.attempt == 1 {
		c.Send(c.Parent(), messages.ToolStarted{Call: w.call.ID, Name: w.call.Name, Title: w.title})
	}
	if w.patient() {
		task.After(c, w.decoded.Timeout, expired{attempt: w.attempt})
		return
	}
	task.After(c, w.decoded.Timeout+w.config.Tuning.CancelGrace, overdue{attempt: w.attempt})
}

func (w *worker) progressed(c actor.Context, message progressed) {
	c.Send(c.Parent(), outputOf(w.call.ID, message.line))
}

// outputOf is a line that a call says while it runs.
func outputOf(call, line string) messages.ToolOutput {
	return messages.ToolOutput{Call: call, Chunk: tools.Visible(line) + "\n"}
}

// overdue gives up on a tool that does not obey its deadline.
func (w *worker) overdue(c actor.Context, message overdue) {
	if w.cancel == nil || message.attempt != w.attempt {
		return // the person is asked, or it runs again
	}
	w.report(c, messages.TimedOut, fmt.Sprintf("Error: timed out after %s and did not stop; its effect is unknown.", w.decoded.Timeout), nil, effect{})
}
