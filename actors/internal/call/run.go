package call

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/callorder"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/jobs"
	"marvin/actors/internal/lsp"
	"marvin/actors/internal/private"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence/artifacts"
	"marvin/persistence/audit"
	"marvin/tools"
	"marvin/tools/undo"
)

// This file runs a call on its own goroutine.

// run creates a task that runs the call.
func (w *worker) run(c actor.Context) {
	ctx, root := w.begin(), c.ActorSystem().Root
	env := w.env(c, &Effect{})
	w.Known.AddCall(w.call.Args, w.decoded.Destinations(env), env.Holds(w.call.Args), w.decoded.Tool.Effect > tools.Reads || w.decoded.Command != nil)
	work := work{
		Services: w.Services, root: root, worker: c.Self(), call: w.call, decoded: w.decoded, title: w.title, reads: w.reads, turn: w.turn, conversation: w.Conversation,
		excess: excess{
			artifacts: w.Conversation.Artifacts.Get(),
			about:     artifacts.Artifact{Tool: w.call.Name, Title: tools.Visible(w.title), Foreign: w.decoded.Tool.Foreign()},
		},
	}
	work.env = w.env(c, &work.changed)
	work.env.Manual, work.env.Resource = w.Config.Manual, w.Servers.Resources()
	if w.decoded.Tool.Leaves && !w.Mode.Agent {
		work.env.Away = w.mayLeave()
	}
	if work.keeper = w.Conversation.Undo.Keeper(work.warn, w.Conversation.UndoTurn, w.call); work.keeper != nil {
		work.env.Undo = work.keeper
	}
	if w.Mode.Coding {
		work.languages = lsp.ClientFor(c, w.Config, &w.Conversation, w.Jobs, w.Session)
	}
	if work.languages != nil {
		work.env.Languages = work.languages
	}
	task.Do(c, func() any { return work.runCall(ctx) }, func(panicked *task.Panicked) any { return finished{panic: panicked} })
}

// work contains the data of a call's goroutine.
type work struct {
	Services
	root         *actor.RootContext
	worker       *actor.PID
	call         messages.ToolCall
	decoded      tools.Call
	title        string
	reads        bool // the command only reads, so there is nothing to undo
	turn         *callorder.Slot
	conversation conv.LiveConversation
	env          tools.Env
	changed      Effect
	excess       excess
	keeper       *undo.Keeper // nil if changes are not recorded
	languages    *lsp.Client  // nil outside coding mode
}

// runCall waits for the earlier calls and for a slot, and then runs the call. The timeout begins
// when the call gets the slot.
func (k *work) runCall(ctx context.Context) finished {
	if err := k.turn.Wait(ctx); err != nil {
		return finished{err: err, cause: err}
	}
	tool := k.decoded.Tool
	leave, err := k.Pools.enter(ctx, tool, k.conversation.Dir, func(reason string) { k.root.Send(k.worker, progressed{line: reason}) })
	if err != nil {
		return finished{err: err, cause: err}
	}
	defer leave()
	if err := recorder.CallBegun(k.Config, audit.Call{Tool: k.call.Name, Args: k.call.Args, At: k.Config.Now()}); err != nil {
		k.root.Send(k.Recorder, recorder.WriteFailed{Err: err})
	}
	k.intend()
	k.root.Send(k.worker, slotTaken{})
	if !needsTimer(tool) {
		timed, stop := context.WithTimeoutCause(ctx, k.decoded.Timeout, tools.ErrDeadline)
		defer stop()
		ctx = timed
	}
	output, err := k.decoded.Run(ctx, k.env)
	output = k.excess.keep(output)
	if !k.reads {
		keepCall(k.keeper, k.title, tool, output.Undo, err)
	}
	k.languages.RecordRun(tool)
	output, k.changed.problems = k.languages.Problems(ctx, tool, k.env, output)
	k.changed.Offer, k.changed.shown, k.changed.Undo = output.Offer, output.Pictures, output.Undo
	return finished{output: output, err: err, cause: context.Cause(ctx), effect: k.changed, bound: k.renamed()}
}

// renamed identifies the private directories that the call used. It compares file identities,
// because a directory can have more than one path.
func (k *work) renamed() []string {
	rules := private.Rules(k.Config.Models.Private)
	if len(rules) == 0 {
		return nil
	}
	paths := []string{k.changed.Dir}
	for _, place := range k.decoded.Places(k.env) {
		paths = append(paths, place.Path)
	}
	return rules.RenamedDirs(paths)
}

// intend announces a call that is about to change something. Before a call with the effect
// [tools.Irreversible] or [tools.Outside], intend also logs the call, and waits up to
// Tuning.Prepare until the entry is written. It logs nothing if the conversation is not stored. The
// outcome is stored later, with the whole round.
func (k *work) intend() {
	if tell := k.conversation.BeforeChange; tell != nil && k.decoded.Tool.Effect > tools.Reads {
		tell(k.decoded.Tool.Name, k.decoded.Tool.Effect)
	}
	kept := k.conversation.Stored
	if kept == nil || k.decoded.Tool.Effect < tools.Irreversible {
		return
	}
	written := make(chan struct{}, 1)
	k.root.Send(k.Recorder, recorder.Logged{Log: kept.Log, Records: []sessionlog.Record{sessionlog.IntentRecord(k.call)}, Written: written})
	select {
	case <-written:
	case <-time.After(k.Config.Tuning.Prepare):
	}
}

// warn tells the user about a problem that does not end the call.
func (k *work) warn(err error) {
	k.root.Send(k.Session, messages.Notice{Level: messages.Warning, Text: err.Error()})
}

// env returns the environment of the call. The functions in the environment run on the call's
// goroutine.
func (w *worker) env(c actor.Context, changed *Effect) tools.Env {
	self, root, call, approved := c.Self(), c.ActorSystem().Root, w.call.ID, w.approved
	if w.Known.AddTaint(w.Tainted); w.Tainted != "" && !w.warned {
		w.warned = true
		c.Send(w.Jobs, jobs.PrivateCame{By: w.Tainted, Session: w.Session})
	}
	words := &library{config: w.Config, conversation: w.Conversation, tools: w.Tools, mode: w.Mode}
	return tools.Env{
		Home: w.Config.Home.User, State: w.Config.Home.State, Profile: w.Config.Home.Profile(w.Conversation.Profile).Dir,
		Dir: w.Conversation.Dir, Coding: w.Mode.Coding, Person: w.Mode.Person, ReadOnly: w.Mode.ReadOnly, ReadOnlyBy: w.Mode.ReadOnlyBy,
		Approval: w.Conversation.Policy.Approval,
		Now:      w.Config.Now, Environ: tools.WithMode(w.Config.Environ, w.Mode),
		Root: w.Conversation.Root, Held: tools.Held{
			Sandbox: w.Config.Sandbox, Beyond: w.beyond, Writes: w.writes, Approved: w.approved, Free: w.free,
			Rules: w.Config.Permissions, Anywhere: w.anywhere, Line: w.worded(),
		},
		Progress: func(line string) { root.Send(self, progressed{line: line}) },
		Room:     w.Room, Seen: w.Seen, Known: w.Known, Tainted: w.Tainted, Personal: w.Personal,
		Artifacts: w.Conversation.Artifacts.Get(),
		Conversation: tools.Conversation{
			Provider: w.Conversation.Choice.Provider, Model: w.Conversation.Choice.Model, Usage: w.Usage,
			Agent: w.Mode.Agent, Only: w.Mode.Only,
			History: earlier{home: w.Config.Home, kept: w.Conversation.Stored, known: w.History}.turn,
			Skill:   words.skill, Definition: words.definition, Ask: inquirer(c), AskLater: w.asksLater(root),
			Memory: w.Config.Memory, Typed: w.Typed, Message: w.Message, Private: len(w.Config.PrivateDirs(append([]string{w.Conversation.Dir}, w.Conversation.PrivateDirs...))) > 0, Earlier: w.earlier(),
			Jobs:   jobs.Client{Root: root, Table: w.Jobs, Home: w.Config.Home, Dir: w.Conversation.Dir, Asker: jobs.Owner{Session: w.Session, Agent: w.Mode.Agent}},
			Agents: launcher(c),

			SetDir:     func(path string) error { changed.Dir, changed.Chosen = path, approved; return nil },
			SetProfile: func(name string) error { changed.Profile = name; return nil },
			Compact:    func() { changed.Compact = true },
			SetPlan:    func(is messages.Plan) { changed.Plan = &conv.Plan{Is: is, Call: call} },
			Exit:       func() { changed.Exit = true },
		},
	}
}

// outputOf returns an event that shows the user one line of a call's output.
func outputOf(call, line string) messages.ToolOutput {
	return messages.ToolOutput{Call: call, Chunk: tools.Visible(line) + "\n"}
}
