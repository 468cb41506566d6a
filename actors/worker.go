package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/line"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// What a worker is told.
type (
	granted struct {
		ask    string // the call, or a question of a sub-agent
		choice messages.Choice
		text   string      // with a no: what to do instead
		person bool        // somebody looked at this very call
		reply  tools.Reply // to an inquiry, instead of all that
	}
	cancelCall struct{}
	// slotTaken, progressed and ran come from the goroutine of the call.
	slotTaken  struct{}
	progressed struct{ line string }
	ran        struct {
		output tools.Output
		err    error
		cause  error // why the call's context ended, if it did
		effect effect
		panic  *task.Panicked
	}
	// frontOver says that the calls in front which may move this one are over.
	frontOver struct{ err error }
	// overdue says that a tool did not return after its deadline.
	overdue struct{ attempt int }
)

// effect is what a call changes beyond its result.
type effect struct {
	dir     string         // the new working directory
	chosen  bool           // a person agreed to it
	profile string         // the new profile
	compact bool           // summarise the conversation before the model is asked again
	exit    bool           // leave once the answer is out
	offer   []string       // tools to offer from the next request on
	spent   messages.Usage // by sub-agents
	tainted string         // the tool by which words of strangers came in
	plan    *plan          // the new one
}

// The causes of a call that ends early, as errors.Is sees them.
var errInterrupted = errors.New("interrupted by the user")

// worker is one tool call: it checks, asks, waits for its slot, runs, and reports
// exactly once.
type worker struct {
	config       *Config
	pools        *pools
	recorder     *actor.PID
	session      *actor.PID
	jobs         *actor.PID
	conversation Conversation
	mode         tools.Mode
	usage        messages.Usage
	seen         *tools.Stamps
	tainted      string // words of strangers or what is private are in the conversation, by this
	trail        *tools.Trail
	room         int // tokens that the result may take before the context budget warns
	position, of int // in the reply
	call         messages.ToolCall
	line         *line.Line // of the reply

	decoded tools.Call
	turn    *line.Turn // nil as long as nobody has to wait for it
	title   string
	free    bool // it runs without a sandbox, which cannot hold it
	cancel  context.CancelCauseFunc
	// stopWaiting ends the wait for the calls in front; nil without one.
	stopWaiting context.CancelCauseFunc
	begun       time.Time // when it got its slot; zero before
	attempt     int       // how often it ran
	consented
	done    bool
	crew    *crew // its sub-agents, if it has any
	asking  inquiries
	allowed allowance
}

func (w *worker) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		w.check(c)
	case granted:
		w.granted(c, message)
	case frontOver:
		w.goOn(c, message)
	case slotTaken:
		w.started(c)
	case progressed:
		w.progressed(c, message)
	case ran:
		w.ran(c, message)
	case expired:
		w.expired(c, message)
	case overdue:
		w.overdue(c, message)
	case approve:
		w.approve(c, message)
	case pose:
		w.pose(c, message)
	case forgo:
		w.forgo(c, message)
	case cancelCall:
		w.cancelCall(c)
	case launch:
		w.launch(c, message)
	case seated:
		w.seated(c, message)
	case raised:
		w.raise(c, message)
	case lowered:
		w.lower(c, w.crew.members[w.crew.positions[message.member.Id]], message.ask)
	case memberSaid:
		w.memberSaid(c, message)
	case dismiss:
		w.dismiss(c)
	case overstayed:
		w.disband()
	case *actor.Terminated:
		task.Obituary(c, message)
	case task.Gone:
		w.memberGone(c, message)
	case *actor.Stopping:
		w.release(errInterrupted)
	}
}

// check decodes the call and asks for consent where the tool wants it.
func (w *worker) check(c actor.Context) {
	w.title = w.call.Name
	tool, err := w.config.Registry.Find(w.call.Name, w.mode)
	if err == nil {
		w.decoded, err = tool.Decode(w.call.Args)
	}
	if err != nil {
		status := messages.ToolError
		if errors.Is(err, tools.ErrForbidden) {
			status = messages.Forbidden
		}
		w.report(c, status, "Error: "+err.Error(), nil, effect{})
		return
	}
	w.title = w.decoded.Title
	w.turn = w.line.Join(w.decoded.Places(w.env(c, &effect{})))
	if w.turn.Unsettled() {
		w.await(c)
		return
	}
	w.judge(c)
}

// await lets the calls in front say where this one works, before it is judged.
func (w *worker) await(c actor.Context) {
	ctx, cancel := context.WithCancelCause(context.Background())
	w.stopWaiting = cancel
	turn := w.turn
	task.Do(c, func() any { return frontOver{err: turn.Wait(ctx)} }, func(panicked *task.Panicked) any { return frontOver{err: panicked} })
}

// goOn goes on where the calls in front left the conversation.
func (w *worker) goOn(c actor.Context, message frontOver) {
	if w.done || message.err != nil {
		return // cancelled meanwhile, which was reported
	}
	moved := w.turn.Moved()
	if moved.Dir != "" {
		w.conversation.Dir = moved.Dir
		if moved.Chosen {
			w.conversation.Root = moved.Dir
		}
	}
	w.conversation.Profile = cmp.Or(moved.Profile, w.conversation.Profile)
	w.judge(c)
}

func (w *worker) granted(c actor.Context, message granted) {
	if w.replied(message) {
		return
	}
	if message.ask != w.call.ID {
		w.settled(c, message)
		return
	}
	if w.done || w.cancel != nil {
		return
	}
	if message.choice != messages.Yes && message.choice != messages.Always {
		if w.met != nil {
			w.stayInside(c, message.text)
			return
		}
		w.report(c, messages.Denied, refusal(message.text), nil, effect{})
		return
	}
	w.approved = message.person
	w.passed(c)
	w.run(c)
}

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
	task.Do(c, func() any {
		if err := turn.Wait(ctx); err != nil {
			return ran{err: err, cause: err}
		}
		leave, err := pools.enter(ctx, call.Tool, dir)
		if err != nil {
			return ran{err: err, cause: err}
		}
		defer leave()
		if err := w.config.begun(persistence.AuditedCall{Tool: name, Args: args, At: w.config.Now()}); err != nil {
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
		changed.offer = output.Offer
		return ran{output: output, err: err, cause: context.Cause(ctx), effect: *changed}
	}, func(panicked *task.Panicked) any { return ran{panic: panicked} })
}

// env is what the call may use. Its functions run on the call's goroutine.
func (w *worker) env(c actor.Context, changed *effect) tools.Env {
	self, root, call := c.Self(), c.ActorSystem().Root, w.call.ID
	return tools.Env{
		Home: w.config.Home.User, State: w.config.Home.State, Profile: w.config.Home.Profile(w.conversation.Profile).Dir,
		Dir: w.conversation.Dir, Coding: w.mode.Coding, Person: w.mode.Person, ReadOnly: w.mode.ReadOnly,
		Approval: w.conversation.Policy.Approval, Free: w.free,
		Now: w.config.Now, Environ: tools.Telling(w.config.Environ, w.mode),
		Sandbox: w.config.Sandbox, Root: w.conversation.Root, Beyond: w.beyond, Approved: w.approved,
		Progress: func(line string) { root.Send(self, progressed{line: line}) },
		Room:     w.room, Seen: w.seen, Trail: w.trail, Tainted: w.tainted, Usage: w.usage, Provider: w.conversation.Choice.Provider, Model: w.conversation.Choice.Model,
		Jobs:  desk{root: root, table: w.jobs, home: w.config.Home, dir: w.conversation.Dir, asker: asker{session: w.session, agent: w.mode.Agent}},
		Agent: w.mode.Agent, Only: w.mode.Only, Agents: w.agents(c),
		SetDir:     func(path string) error { changed.dir, changed.chosen = path, w.approved; return nil },
		SetProfile: func(name string) error { changed.profile = name; return nil },
		Compact:    func() { changed.compact = true },
		Exit:       func() { changed.exit = true },
		Ask:        w.asker(c),
		SetPlan:    func(is messages.Plan) { changed.plan = &plan{is: is, call: call} },
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

// ran turns what came of the work into a report. How it ended decides what the
// model is told, because a refusal, a cancel and a timeout ask for different next
// steps.
func (w *worker) ran(c actor.Context, message ran) {
	output, text := message.output, message.output.Text
	if output.Alarm != "" && !w.done {
		c.Send(c.Parent(), messages.Notice{Level: messages.Problem, Text: output.Alarm})
	}
	if w.met == nil && w.offerOutside(c, message) {
		return
	}
	if w.met != nil {
		text = secondRun + text
	}
	switch {
	case message.panic != nil:
		w.config.Log.Error("tool panicked", "tool", w.call.Name, "reason", fmt.Sprint(message.panic.Reason), "stack", string(message.panic.Stack))
		w.report(c, messages.Crashed, fmt.Sprintf("Error: the tool crashed: %v. Its effect is unknown. Try another way.", message.panic.Reason), nil, effect{})
	case errors.Is(message.err, tools.ErrUnconfined):
		w.unconfined(c, message.err)
	case message.err == nil:
		w.report(c, messages.OK, text, output.View, message.effect)
	case errors.Is(message.cause, errInterrupted) && w.begun.IsZero():
		w.report(c, messages.Interrupted, "Error: cancelled by the user before it started. Nothing was done.", nil, effect{})
	case errors.Is(message.cause, errInterrupted):
		w.report(c, messages.Interrupted, join(text, "Error: interrupted by the user while it ran; its effect is unknown."), output.View, message.effect)
	case errors.Is(message.cause, tools.ErrDeadline):
		w.report(c, messages.TimedOut, join(text, fmt.Sprintf("Error: timed out after %s. Ask for less at once, or give it more time if the tool has a timeout.", w.decoded.Timeout)), output.View, message.effect)
	case errors.Is(message.err, tools.ErrDeadline): // of the tool's own, which says how long
		w.report(c, messages.TimedOut, join(text, "Error: "+message.err.Error()), output.View, message.effect)
	case errors.Is(message.err, tools.ErrForbidden):
		w.report(c, messages.Forbidden, join(text, "Error: "+message.err.Error()), output.View, message.effect)
	default:
		w.report(c, messages.ToolError, join(text, "Error: "+message.err.Error()), output.View, message.effect)
	}
}

func join(text, last string) string {
	if text == "" {
		return last
	}
	return strings.TrimRight(text, "\n") + "\n" + last
}

// overdue gives up on a tool that does not obey its deadline.
func (w *worker) overdue(c actor.Context, message overdue) {
	if w.cancel == nil || message.attempt != w.attempt {
		return // the person is asked, or it runs again
	}
	w.report(c, messages.TimedOut, fmt.Sprintf("Error: timed out after %s and did not stop; its effect is unknown.", w.decoded.Timeout), nil, effect{})
}

// cancelCall ends a call that has not begun at once, and a running one by its
// context: then ran follows.
func (w *worker) cancelCall(c actor.Context) {
	if w.cancel == nil && w.met != nil {
		w.stayInside(c, "")
		return
	}
	if w.cancel == nil {
		w.report(c, messages.Interrupted, "Error: cancelled by the user before it started. Nothing was done.", nil, effect{})
		return
	}
	w.cancel(errInterrupted)
}

// report says once how the call ended, to the router and to the recorder.
func (w *worker) report(c actor.Context, status messages.Status, text string, view *messages.View, changed effect) {
	if w.done {
		return
	}
	w.done = true
	w.forgoAll(c)
	defer w.leave(status, changed)
	changed.spent, changed.tainted = w.spent(), w.heard()
	text = w.cleaned(text)
	w.noted(c, status, text)
	var took time.Duration
	if !w.begun.IsZero() {
		took = w.config.Now().Sub(w.begun)
	}
	event := messages.ToolEnded{Call: w.call.ID, Name: w.call.Name, Status: status, Summary: tools.Visible(firstLine(text)), Text: text, View: view, Took: took}
	c.Send(w.recorder, callRecord{persistence.AuditedCall{
		Tool: w.call.Name, Args: w.call.Args, At: w.config.Now(), Result: text, Failed: status != messages.OK, Took: took,
	}})
	c.Send(c.Parent(), callEnded{
		position: w.position, effect: changed, event: event,
		result: messages.ToolResult{Call: w.call.ID, Name: w.call.Name, Text: w.framed(c, status, text), Status: status},
	})
	c.Stop(c.Self())
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	return line
}

func (w *worker) progressed(c actor.Context, message progressed) {
	c.Send(c.Parent(), messages.ToolOutput{Call: w.call.ID, Chunk: tools.Visible(message.line) + "\n"})
}

// leave lets the calls behind this one go on, from where it left the conversation.
func (w *worker) leave(status messages.Status, changed effect) {
	if w.stopWaiting != nil {
		w.stopWaiting(errInterrupted)
	}
	if w.turn == nil {
		return
	}
	if status == messages.OK {
		w.turn.Move(line.Moved{Dir: changed.dir, Chosen: changed.chosen, Profile: changed.profile})
	}
	w.turn.Leave()
}

func (w *worker) release(cause error) {
	w.leave(messages.Crashed, effect{})
	if w.cancel != nil {
		w.cancel(cause)
	}
	if w.crew != nil {
		w.crew.stop()
		w.disband()
	}
}
