package call

import (
	"errors"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/callorder"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// Messages to a worker.
type (
	CancelCall struct{}
	// The three messages below come from the call's goroutine.
	slotTaken  struct{}
	progressed struct{ line string }
	finished   struct {
		output tools.Output
		err    error
		cause  error // why the call's context ended, if it did
		effect Effect
		panic  *task.Panicked
		bound  []string // private directories that the call used, found by file identity
	}
)

var errInterrupted = errors.New("interrupted by the user")

// worker is the actor of one tool call. It checks the call, asks for consent, waits for a slot,
// runs the tool, and reports exactly once.
type worker struct {
	Services
	Situation
	position, of int // the index of the call in the reply, and the number of calls in the reply
	call         messages.ToolCall

	decoded tools.Call
	title   string
	slot
	execution
	consented
	done      bool
	warned    bool       // jobs.PrivateCame has been sent
	subAgents *subAgents // nil if the call has none
	asking    inquiries
	provenance
	hooked
}

// Place is the position of a call among the calls of a model reply.
type Place struct {
	Position, Of int
	Line         *callorder.Order
}

// New returns the actor of one call.
func New(services Services, situation Situation, call messages.ToolCall, at Place) actor.Actor {
	return &worker{Services: services, Situation: situation, position: at.Position, of: at.Of, call: call, slot: slot{line: at.Line}}
}

func (w *worker) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		w.check(c)
	case mail.Answered:
		w.granted(c, message)
	case frontOver:
		w.goOn(c, message)
	case heardBefore:
		w.applyHooks(c, message.outcome)
	case heardAfter:
		w.reportAfterHooks(c, message.outcome)
	case hooksLate:
		w.cancelHooks(ErrHooksLate)
	case slotTaken:
		w.started(c)
	case progressed:
		c.Send(c.Parent(), outputOf(w.call.ID, message.line))
	case finished:
		w.handleOutcome(c, message)
	case expired:
		w.endExpired(c, message)
	case overdue:
		w.overdue(c, message)
	case mail.Approve:
		w.approve(c, message)
	case callQuestion:
		w.pose(c, message)
	case forgo:
		w.forgo(c, message)
	case messages.Background:
		w.leave()
	case messages.VisitAgent:
		w.subAgents.visit(c, message)
	case CancelCall:
		w.cancelCall(c)
	case launch:
		w.subAgents = newSubAgents(w.Services, w.Situation, w.call.ID, message)
		w.subAgents.begin(c)
	case slotAcquired, QuestionRaised, QuestionRetracted, agentSaid, remoteProgress, remoteEnded, cancelAll, graceExpired, agentExpired, agentOverdue, task.ChildGone:
		w.subAgents.receive(c, message)
	case *actor.Terminated:
		task.MailTerminated(c, message)
	case *actor.Stopping:
		w.release(errInterrupted)
	}
	w.allowed.Count(w.asking.waiting() || w.subAgents.asking(), w.Config.Now)
}

// check decodes the call and calls w.consult. If earlier calls can still change the call's places,
// check calls w.await instead.
func (w *worker) check(c actor.Context) {
	w.title = w.call.Name
	tool, err := w.Tools.Find(w.call.Name, w.Mode)
	if err == nil {
		w.decoded, err = tool.Decode(w.call.Args)
	}
	if err != nil {
		status := messages.ToolError
		if errors.Is(err, tools.ErrForbidden) {
			status = messages.Forbidden
		}
		w.report(c, callEnd{status: status, text: "Error: " + err.Error()})
		return
	}
	w.title = w.decoded.Title
	movable := w.join(w.decoded.Places(w.env(c, &Effect{})), len(w.hooksBefore(w.decoded.Tool.Name)) > 0)
	switch {
	case !movable:
		w.consult(c)
	case w.turn.Unsettled():
		w.await(c)
	default:
		w.goOn(c, frontOver{})
	}
}

// goOn continues the call when its directory and profile no longer depend on earlier calls.
func (w *worker) goOn(c actor.Context, message frontOver) {
	if w.done || message.err != nil {
		return // the call has ended, or the wait for earlier calls failed
	}
	w.move(w.turn.Moved())
	w.places = w.decoded.Places(w.env(c, &Effect{}))
	w.consult(c)
}

func (w *worker) granted(c actor.Context, message mail.Answered) {
	if w.asking.deliverReply(message) {
		return
	}
	if message.Ask != w.call.ID {
		w.subAgents.passDecision(c, message)
		return
	}
	if w.done || w.running() {
		return
	}
	if message.Choice != messages.Yes && message.Choice != messages.Always {
		if w.denial != nil {
			w.report(c, w.keepSandboxed(message.Text))
			return
		}
		w.report(c, callEnd{status: messages.Denied, text: refusal(message.Text)})
		return
	}
	w.approved = message.Person
	for _, to := range w.decoded.Destinations(w.env(c, &Effect{})) { // the user permitted these destinations
		w.Known.Pass(to.Address)
	}
	w.run(c)
}
