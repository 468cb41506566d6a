package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/lsp"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
	"marvin/messages"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/undo"
)

// This file undoes tool calls. It restores files from the journal, and then makes the inverse calls
// that the journal lists (undo_calls.go).

type (
	// undoPlanned is the plan for an undo request.
	undoPlanned struct {
		plan    *undo.Plan
		journal *undolog.Journal
		err     error
		calls   *actor.PID // the actor that makes the calls of the plan; nil until it is started
		found   string     // problems that language servers found after the files were restored
	}
	// takenBack is the result of restoring files.
	takenBack struct {
		err   error
		found string
	}
	// reversed reports that the undo of a plan's calls has ended.
	reversed struct{ err error }
)

// undoing carries out undo requests.
type undoing struct {
	*emitter
	turn.Deps
	keeping  *keeping
	turn     *currentTurn
	planning bool         // a plan is being made
	taking   *undoPlanned // the plan that awaits the user's consent or is being carried out
	asked    int          // the number of questions and reversers so far
}

func (u *undoing) busy() bool { return u.taking != nil || u.planning }

func (u *undoing) reversing() bool { return u.taking != nil && u.taking.calls != nil }

func (u *undoing) free() bool {
	switch {
	case u.turn.runs() || u.state.running != "":
		u.warn("A turn is running. Wait until it ends, or cancel it, then undo.")
	case u.busy():
		u.warn("Another undo is still running.")
	case u.state.conversation.Undo == nil:
		u.warn("There is nothing to undo: this conversation keeps no record of changes.")
	default:
		return true
	}
	return false
}

func (u *undoing) begin(c actor.Context, wish messages.Undo) {
	if !u.free() {
		return
	}
	u.planning = true
	log, env := u.state.conversation.Undo, u.env()
	task.Do(c, func() any {
		plan, err := undo.Make(log.Get(), env, undo.Request{Turn: wish.Turn, Path: wish.Path, Redo: wish.Redo})
		return undoPlanned{plan: &plan, journal: log.Get(), err: err}
	}, func(panicked *task.Panicked) any { return undoPlanned{err: panicked} })
}

// env returns the environment for restoring files. The protected files are the same as in a tool
// call.
func (u *undoing) env() tools.Env {
	return tools.Env{
		Home: u.Config.Home.User, State: u.Config.Home.State, Environ: u.Config.Environ, Now: u.Config.Now,
		Seen: u.state.seen, Progress: func(string) {},
	}
}

// askAboutPlan shows the user the files and the diff, and asks whether to carry out the plan.
func (u *undoing) askAboutPlan(c actor.Context, message undoPlanned) {
	u.planning = false
	if message.err != nil {
		u.tell(messages.Notice{Level: messages.Info, Text: message.err.Error()})
		return
	}
	u.taking = &message
	if message.plan.IsPart() || message.plan.Empty() { // no question is needed: the plan is empty, or the user chose one part
		u.takeBack(c)
		return
	}
	if !u.state.conversation.Policy.Person {
		u.taking = nil
		u.warn("Marvin cannot ask here, so nothing was changed. The change would be:\n" + message.plan.Detail())
		return
	}
	u.asked++
	c.Request(c.Self(), mail.AskUser{
		Call: fmt.Sprintf("undo-%d", u.asked), Title: message.plan.Title(), Detail: message.plan.Detail(), More: message.plan.Diff().Text, Firm: true,
	})
}

func (u *undoing) handleAnswer(c actor.Context, answer mail.Answered) {
	switch {
	case u.taking == nil:
	case answer.Choice != messages.Yes:
		u.taking = nil
		u.tell(messages.Notice{Level: messages.Info, Text: "Nothing was changed."})
	case u.turn.runs():
		u.taking = nil
		u.warn("Nothing was changed, because a turn has begun. Try again when it has ended.")
	default:
		u.takeBack(c)
	}
}

func (u *undoing) takeBack(c actor.Context) {
	plan, journal, env := u.taking.plan, u.taking.journal, u.env()
	var languages *lsp.Client
	if u.state.conversation.Policy.Mode().Coding {
		languages = lsp.ClientFor(c, u.Config, &u.state.conversation, u.Jobs, c.Self())
	}
	if languages != nil {
		env.Languages = languages
	}
	task.Do(c, func() any {
		err := plan.Apply(context.Background(), journal, env)
		if languages == nil {
			return takenBack{err: err}
		}
		found := languages.Found(context.Background())
		return takenBack{err: err, found: tools.Visible(found.Text())}
	}, func(panicked *task.Panicked) any { return takenBack{err: panicked} })
}

func (u *undoing) reverseCalls(c actor.Context, message takenBack) {
	u.taking.found = message.found
	if message.err != nil || len(u.taking.plan.Calls) == 0 {
		u.reportUndo(c, reversed{err: message.err})
		return
	}
	u.reverse(c)
}

// reportUndo reports an undo to the user at once, and to the model with the next prompt.
func (u *undoing) reportUndo(c actor.Context, message reversed) {
	plan, found := u.taking.plan, u.taking.found
	u.taking = nil
	level, text := messages.Info, plan.Report()
	if found != "" {
		text, found = text+"\n"+found, "\n"+found
	}
	if message.err != nil {
		level, text = messages.Problem, text+"\n"+message.err.Error()
	}
	did := "undid"
	if plan.IsPart() {
		did = "undid a part of"
	}
	if plan.Redo {
		did = "undid and then redid"
	}
	if changed := plan.Existing(); len(changed) > 0 {
		u.tellModelLater(c, fmt.Sprintf("The user %s the changes that you made in turn %s. Read these files again before you change them:\n%s",
			did, plan.Turn, tools.Visible(strings.Join(changed, "\n")))+found)
	}
	if gone := plan.Removed(); len(gone) > 0 {
		u.tellModelLater(c, fmt.Sprintf("The user %s the changes that you made in turn %s. These files no longer exist:\n%s",
			did, plan.Turn, tools.Visible(strings.Join(gone, "\n"))))
	}
	if called := plan.CallTitles(); len(called) > 0 {
		u.tellModelLater(c, fmt.Sprintf("The user %s these calls of turn %s:\n%s",
			did, plan.Turn, tools.Visible(strings.Join(called, "\n"))))
	}
	u.tell(messages.Notice{Level: level, Text: text})
	if plan.IsPart() {
		u.changes(c)
	}
}

// tellModelLater stores a report for the model. The next prompt delivers the report, even after a
// restart.
func (u *undoing) tellModelLater(c actor.Context, told string) {
	u.state.undone = append(u.state.undone, told)
	u.keeping.log(c, sessionlog.UndoRecord(told))
}

func (s *session) receiveUndo(c actor.Context, message any) {
	switch message := message.(type) {
	case undoPlanned:
		s.undoing.askAboutPlan(c, message)
	case takenBack:
		s.undoing.reverseCalls(c, message)
		s.startNextTurn(c)
	case reversed:
		s.undoing.reportUndo(c, message)
		s.startNextTurn(c)
	}
}

func (u *undoing) op(c actor.Context, op any) {
	switch op := op.(type) {
	case messages.Undo:
		u.begin(c, op)
	case messages.TakeBack:
		u.undoPart(c, op)
	case messages.ListChanges:
		u.changes(c)
	}
}
