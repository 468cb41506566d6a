package actors

import (
	"errors"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/line"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// Messages to a worker.
type (
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
		bound  []string // private directories that its places lie in under another name
	}
)

// The causes of a call that ends early, as errors.Is sees them.
var errInterrupted = errors.New("interrupted by the user")

// worker is one tool call: it checks, asks, waits for its slot, runs, and reports
// exactly once.
type worker struct {
	services
	situation
	position, of int // in the reply
	call         messages.ToolCall

	decoded tools.Call
	title   string
	standing
	execution
	consented
	done      bool
	subAgents *subAgents // its sub-agents, if it has any
	asking    inquiries
	intake
	hooked
}

// callPlace is the place of a call in its reply.
type callPlace struct {
	position, of int
	line         *line.Line
}

// newWorker is the actor of one call.
func newWorker(services services, situation situation, call messages.ToolCall, at callPlace) actor.Actor {
	return &worker{services: services, situation: situation, position: at.position, of: at.of, call: call, standing: standing{line: at.line}}
}

func (w *worker) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		w.check(c)
	case granted:
		w.granted(c, message)
	case frontOver:
		w.goOn(c, message)
	case heardBefore:
		w.heardBefore(c, message.outcome)
	case heardAfter:
		w.heardAfter(c, message.outcome)
	case hooksLate:
		w.hush(errHooksLate)
	case slotTaken:
		w.started(c)
	case progressed:
		c.Send(c.Parent(), outputOf(w.call.ID, message.line))
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
	case messages.Background:
		w.leave()
	case messages.VisitAgent:
		w.subAgents.visit(c, message)
	case cancelCall:
		w.cancelCall(c)
	case launch:
		w.subAgents = newSubAgents(w.services, w.situation, w.call.ID, message)
		w.subAgents.begin(c)
	case seated, raised, lowered, memberSaid, awaySaid, awayEnded, dismiss, overstayed, memberExpired, memberOverdue, task.Gone:
		w.subAgents.receive(c, message)
	case *actor.Terminated:
		task.Obituary(c, message)
	case *actor.Stopping:
		w.release(errInterrupted)
	}
	w.allowed.count(w.asking.waiting() || w.subAgents.asking(), w.config.Now)
}

// check decodes the call and asks for consent where the tool wants it.
func (w *worker) check(c actor.Context) {
	w.title = w.call.Name
	tool, err := w.tools.Find(w.call.Name, w.mode)
	if err == nil {
		w.decoded, err = tool.Decode(w.call.Args)
	}
	if err != nil {
		status := messages.ToolError
		if errors.Is(err, tools.ErrForbidden) {
			status = messages.Forbidden
		}
		w.report(c, closing{status: status, text: "Error: " + err.Error()})
		return
	}
	w.title = w.decoded.Title
	movable := w.join(w.decoded.Places(w.env(c, &effect{})), len(w.before(w.decoded.Tool.Name)) > 0)
	switch {
	case !movable:
		w.consult(c)
	case w.turn.Unsettled():
		w.await(c)
	default:
		w.goOn(c, frontOver{})
	}
}

// goOn continues in the state that earlier calls left.
func (w *worker) goOn(c actor.Context, message frontOver) {
	if w.done || message.err != nil {
		return // cancelled meanwhile, which was reported
	}
	w.move(w.turn.Moved())
	w.places = w.decoded.Places(w.env(c, &effect{}))
	w.consult(c)
}

func (w *worker) granted(c actor.Context, message granted) {
	if w.asking.replied(message) {
		return
	}
	if message.ask != w.call.ID {
		w.subAgents.settled(c, message)
		return
	}
	if w.done || w.running() {
		return
	}
	if message.choice != messages.Yes && message.choice != messages.Always {
		if w.met != nil {
			w.report(c, w.stayInside(message.text))
			return
		}
		w.report(c, closing{status: messages.Denied, text: refusal(message.text)})
		return
	}
	w.approved = message.person
	for _, to := range w.decoded.Destinations(w.env(c, &effect{})) { // the user permitted these
		w.known.Pass(to.Address)
	}
	w.run(c)
}
