package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/line"
	"marvin/actors/internal/private"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence/artifacts"
	"marvin/persistence/audit"
	"marvin/tools"
	"marvin/tools/undo"
)

// How a call runs: on its own goroutine, with its permissions.

// run has the work done on a goroutine of its own.
func (w *worker) run(c actor.Context) {
	ctx, root := w.begin(), c.ActorSystem().Root
	env := w.env(c, &effect{})
	w.known.AddCall(w.call.Args, w.decoded.Destinations(env), env.Holds(w.call.Args), w.decoded.Tool.Effect > tools.Reads || w.decoded.Command != nil)
	work := work{
		services: w.services, root: root, worker: c.Self(), call: w.call, decoded: w.decoded, title: w.title, turn: w.turn, conversation: w.conversation,
		excess: excess{
			artifacts: w.conversation.artifacts.get(),
			about:     artifacts.Artifact{Tool: w.call.Name, Title: tools.Visible(w.title), Foreign: w.decoded.Tool.Foreign()},
		},
	}
	work.env = w.env(c, &work.changed)
	work.env.Manual, work.env.Resource = w.config.Manual, w.servers.resources()
	if w.decoded.Tool.Leaves && !w.mode.Agent {
		work.env.Away = w.mayLeave()
	}
	if work.keeper = w.conversation.undo.keeper(work.warn, w.conversation.undoTurn, w.call); work.keeper != nil {
		work.env.Undo = work.keeper
	}
	if w.mode.Coding {
		work.languages = languagesFor(c, w.config, &w.conversation, w.jobs, w.session)
	}
	if work.languages != nil {
		work.env.Languages = work.languages
	}
	task.Do(c, func() any { return work.do(ctx) }, func(panicked *task.Panicked) any { return ran{panic: panicked} })
}

// work is what the goroutine of a call has. Nothing of it is the worker's any more.
type work struct {
	services
	root         *actor.RootContext
	worker       *actor.PID
	call         messages.ToolCall
	decoded      tools.Call
	title        string
	turn         *line.Turn
	conversation runningConversation
	env          tools.Env
	changed      effect
	excess       excess
	keeper       *undo.Keeper    // nil where nothing is taken back
	languages    *languageClient // nil outside of coding
}

// do waits for the calls in front, takes a slot and runs the call. The deadline counts from
// the moment the slot is taken.
func (k *work) do(ctx context.Context) ran {
	if err := k.turn.Wait(ctx); err != nil {
		return ran{err: err, cause: err}
	}
	tool := k.decoded.Tool
	leave, err := k.pools.enter(ctx, tool, k.conversation.Dir, func(reason string) { k.root.Send(k.worker, progressed{line: reason}) })
	if err != nil {
		return ran{err: err, cause: err}
	}
	defer leave()
	if err := callBegun(k.config, audit.Call{Tool: k.call.Name, Args: k.call.Args, At: k.config.Now()}); err != nil {
		k.root.Send(k.recorder, notKept{err: err})
	}
	k.intend()
	k.root.Send(k.worker, slotTaken{})
	if !patient(tool) {
		timed, stop := context.WithTimeoutCause(ctx, k.decoded.Timeout, tools.ErrDeadline)
		defer stop()
		ctx = timed
	}
	output, err := k.decoded.Run(ctx, k.env)
	output = k.excess.keep(output)
	keepCall(k.keeper, k.title, tool, output.Undo, err)
	k.languages.ran(tool)
	output, k.changed.problems = k.languages.problems(ctx, tool, k.env, output)
	k.changed.offer, k.changed.shown, k.changed.undo = output.Offer, output.Pictures, output.Undo
	return ran{output: output, err: err, cause: context.Cause(ctx), effect: k.changed, bound: k.renamed()}
}

// renamed are the private directories that the call was in under another name.
func (k *work) renamed() []string {
	rules := private.Rules(k.config.Models.Private)
	if len(rules) == 0 {
		return nil
	}
	paths := []string{k.changed.dir}
	for _, place := range k.decoded.Places(k.env) {
		paths = append(paths, place.Path)
	}
	return rules.Renamed(paths)
}

// intend reports and records the start of a call with lasting effects, after the messages before
// it. Its outcome is stored with the whole round. It waits for the disk no longer than a prompt
// does.
func (k *work) intend() {
	if tell := k.conversation.Intends; tell != nil && k.decoded.Tool.Effect > tools.Reads {
		tell(k.decoded.Tool.Name, k.decoded.Tool.Effect)
	}
	kept := k.conversation.Kept
	if kept == nil || k.decoded.Tool.Effect < tools.Irreversible {
		return
	}
	written := make(chan struct{}, 1)
	k.root.Send(k.recorder, logged{log: kept.log, records: []sessionlog.Record{sessionlog.Intended(k.call)}, written: written})
	select {
	case <-written:
	case <-time.After(k.config.Tuning.Prepare):
	}
}

// warn tells the person of what does not end the call.
func (k *work) warn(err error) {
	k.root.Send(k.session, messages.Notice{Level: messages.Warning, Text: err.Error()})
}

// env is what the call may use. Its functions run on the call's goroutine.
func (w *worker) env(c actor.Context, changed *effect) tools.Env {
	self, root, call, approved := c.Self(), c.ActorSystem().Root, w.call.ID, w.approved
	w.known.AddTaint(w.tainted)
	words := &library{config: w.config, conversation: w.conversation, tools: w.tools, mode: w.mode}
	return tools.Env{
		Home: w.config.Home.User, State: w.config.Home.State, Profile: w.config.Home.Profile(w.conversation.Profile).Dir,
		Dir: w.conversation.Dir, Coding: w.mode.Coding, Person: w.mode.Person, ReadOnly: w.mode.ReadOnly,
		Approval: w.conversation.Policy.Approval,
		Now:      w.config.Now, Environ: tools.Telling(w.config.Environ, w.mode),
		Root: w.conversation.Root, Held: tools.Held{
			Sandbox: w.config.Sandbox, Beyond: w.beyond, Writes: w.writes, Approved: w.approved, Free: w.free,
			Rules: w.config.Permissions, Anywhere: w.anywhere, Line: w.worded(),
		},
		Progress: func(line string) { root.Send(self, progressed{line: line}) },
		Room:     w.room, Seen: w.seen, Known: w.known, Tainted: w.tainted, Personal: w.personal,
		Artifacts: w.conversation.artifacts.get(),
		Conversation: tools.Conversation{
			Provider: w.conversation.Choice.Provider, Model: w.conversation.Choice.Model, Usage: w.usage,
			Agent: w.mode.Agent, Only: w.mode.Only,
			History: earlier{home: w.config.Home, kept: w.conversation.Kept, known: w.history}.turn,
			Skill:   words.skill, Definition: words.definition, Ask: inquirer(c), AskLater: w.asksLater(root),
			Memory: w.config.Memory, Typed: w.typed, Message: w.message, Private: len(w.config.bound(append([]string{w.conversation.Dir}, w.conversation.Bound...))) > 0, Earlier: w.earlier(),
			Jobs:   jobsClient{root: root, table: w.jobs, home: w.config.Home, dir: w.conversation.Dir, asker: asker{session: w.session, agent: w.mode.Agent}},
			Agents: launcher(c),

			SetDir:     func(path string) error { changed.dir, changed.chosen = path, approved; return nil },
			SetProfile: func(name string) error { changed.profile = name; return nil },
			Compact:    func() { changed.compact = true },
			SetPlan:    func(is messages.Plan) { changed.plan = &plan{is: is, call: call} },
			Exit:       func() { changed.exit = true },
		},
	}
}

// outputOf is a line that a call says while it runs.
func outputOf(call, line string) messages.ToolOutput {
	return messages.ToolOutput{Call: call, Chunk: tools.Visible(line) + "\n"}
}
