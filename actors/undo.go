package actors

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/undo"
)

// How a person takes back what tools did: what files held is kept when a call writes, and
// what takes a call back when it ran; a wish becomes a plan, the plan a question, and a yes
// is carried out, the files first and then the calls (undo_calls.go).

type (
	// undoPlanned is what a wish means.
	undoPlanned struct {
		plan    *undo.Plan
		journal *persistence.Undo
		err     error
		calls   *actor.PID // makes the calls of the plan; nil before
		found   string     // what language servers say of the files, once they are taken back
	}
	// takenBack says that the files of a plan are done with, and reversed that its calls are.
	takenBack struct {
		err   error
		found string
	}
	reversed struct{ err error }
)

// undoLog is what a conversation and its sub-agents changed in files. It is with the
// conversation that is kept, or else in memory. It is safe for concurrent use.
type undoLog struct {
	home    *persistence.Home
	kept    *Kept
	once    sync.Once
	journal *persistence.Undo
}

func (u *undoLog) get() *persistence.Undo {
	u.once.Do(func() { u.journal = u.home.Undo(u.kept.ID()) })
	return u.journal
}

// keepsFiles makes the log of a conversation where somebody may take something back.
func (s *session) keepsFiles() {
	begin := &s.state.conversation
	if !begin.Policy.Agent && (begin.Policy.Person || begin.Kept != nil) {
		begin.undo = &undoLog{home: s.config.Home, kept: begin.Kept}
	}
}

// keeper keeps what a call changes.
func (w *worker) keeper(root *actor.RootContext) *undo.Keeper {
	session := w.session
	return &undo.Keeper{
		Journal: w.conversation.undo.get, Turn: w.conversation.undoTurn, Call: w.call.ID, Tool: w.call.Name,
		Problem: func(err error) {
			root.Send(session, messages.Notice{Level: messages.Warning, Text: "/undo cannot take all of this turn back: " + err.Error()})
		},
	}
}

// keeps gives the environment of a call the place for what it changes. What the function
// that it returns is told of a call that ran is taken back by another call, or not at all.
func (w *worker) keeps(root *actor.RootContext, env *tools.Env) (ran func(tool *tools.Tool, inverse *tools.Inverse, err error)) {
	if w.conversation.undo == nil {
		return func(*tools.Tool, *tools.Inverse, error) {}
	}
	keeper, title := w.keeper(root), w.title
	env.Undo = keeper
	return func(tool *tools.Tool, inverse *tools.Inverse, err error) {
		// What sub-agents do is written down call by call.
		if tool.Pool != tools.Agent && (tool.Effect > tools.Writes || tool.Effect == tools.Writes && err == nil) {
			if err != nil {
				inverse = nil // how far it came is not known
			}
			keeper.Ran(tools.Visible(tool.Name+" "+strings.TrimPrefix(title, tool.Name)), inverse)
		}
	}
}

// undo finds out what a wish means, beside the conversation.
func (s *session) undo(c actor.Context, wish messages.Undo) {
	log := s.state.conversation.undo
	switch {
	case s.router != nil || s.state.running != "":
		s.cannotUndo("A turn is running: take back when it has ended, or cancel it.")
		return
	case s.taking != nil || s.planning:
		s.cannotUndo("Something is being taken back already.")
		return
	case log == nil:
		s.cannotUndo("There is nothing to take back: this conversation keeps nothing.")
		return
	}
	s.planning = true
	env := s.undoEnv()
	task.Do(c, func() any {
		plan, err := undo.Make(log.get(), env, undo.Wish{Turn: wish.Turn, Path: wish.Path, Redo: wish.Redo})
		return undoPlanned{plan: &plan, journal: log.get(), err: err}
	}, func(panicked *task.Panicked) any { return undoPlanned{err: panicked} })
}

func (s *session) cannotUndo(why string) {
	s.tell(messages.Notice{Level: messages.Warning, Text: why})
	s.refuse(why)
}

// undoEnv is where files are taken back: where tools may write.
func (s *session) undoEnv() tools.Env {
	return tools.Env{
		Home: s.config.Home.User, State: s.config.Home.State, Environ: s.config.Environ, Now: s.config.Now,
		Seen: s.state.seen, Progress: func(string) {},
	}
}

// undoPlanned asks the person, with the files as the detail and the diff to be looked at.
func (s *session) undoPlanned(c actor.Context, message undoPlanned) {
	s.planning = false
	if message.err != nil {
		s.tell(messages.Notice{Level: messages.Info, Text: message.err.Error()})
		return
	}
	s.taking = &message
	if message.plan.Empty() { // what is as it was already is noted, what stays is said
		s.takeBack(c)
		return
	}
	if !s.state.conversation.Policy.Person {
		s.taking = nil
		s.cannotUndo("Nobody can be asked here, so nothing was changed. It would be:\n" + message.plan.Detail())
		return
	}
	s.undone++
	c.Request(c.Self(), askUser{
		call: fmt.Sprintf("undo-%d", s.undone), title: message.plan.Title(), detail: message.plan.Detail(), more: message.plan.Diff().Text, firm: true,
	})
}

// undoAnswered takes the answer.
func (s *session) undoAnswered(c actor.Context, answer granted) {
	switch {
	case s.taking == nil:
	case answer.choice != messages.Yes: // guard: undo: nothing is changed before a yes
		s.taking = nil
		s.tell(messages.Notice{Level: messages.Info, Text: "Nothing was changed."})
	case s.router != nil:
		s.taking = nil
		s.cannotUndo("Nothing was changed: a turn has begun meanwhile. Try again when it has ended.")
	default:
		s.takeBack(c)
	}
}

func (s *session) takeBack(c actor.Context) {
	plan, journal, env := s.taking.plan, s.taking.journal, s.undoEnv()
	var languages *languageClient
	if s.state.conversation.Policy.mode().Coding {
		languages = languagesFor(c, s.config, &s.state.conversation, s.jobs, c.Self())
	}
	if languages != nil {
		env.Languages = languages
	}
	task.Do(c, func() any {
		err := plan.Apply(context.Background(), journal, env)
		if languages == nil {
			return takenBack{err: err}
		}
		found := languages.found(context.Background())
		return takenBack{err: err, found: tools.Visible(found.Text())}
	}, func(panicked *task.Panicked) any { return takenBack{err: panicked} })
}

// takenBack goes on with the calls.
func (s *session) takenBack(c actor.Context, message takenBack) {
	s.taking.found = message.found
	if message.err != nil || len(s.taking.plan.Calls) == 0 {
		tellReversed(s, c, reversed{err: message.err})
		return
	}
	reverse(s, c)
}

// tellReversed tells the person now, and the model with the next prompt.
func tellReversed(s *session, c actor.Context, message reversed) {
	plan, found := s.taking.plan, s.taking.found
	s.taking = nil
	level, text := messages.Info, plan.Report()
	if found != "" {
		text, found = text+"\n"+found, "\n"+found
	}
	if message.err != nil {
		level, text = messages.Problem, text+"\n"+message.err.Error()
	}
	did, again := "took back", ""
	if plan.Redo {
		did, again = "did again", ", and they had taken back,"
	}
	if changed := plan.Changed(); len(changed) > 0 {
		tellLater(s, c, fmt.Sprintf("The user %s what you wrote%s in turn %s into these files. Read them again before you change them:\n%s",
			did, again, plan.Turn, tools.Visible(strings.Join(changed, "\n")))+found)
	}
	if called := plan.Called(); len(called) > 0 {
		tellLater(s, c, fmt.Sprintf("The user %s what these calls of yours did%s in turn %s:\n%s",
			did, again, plan.Turn, tools.Visible(strings.Join(called, "\n"))))
	}
	s.tell(messages.Notice{Level: level, Text: text})
	s.next(c) // what was said meanwhile
}

// tellLater tells the model with the next prompt, which may come after a restart.
func tellLater(s *session, c actor.Context, told string) {
	s.state.undone = append(s.state.undone, told)
	if kept := s.state.conversation.Kept; kept != nil {
		c.Send(s.recorder, logged{log: kept.log, records: []sessionlog.Record{sessionlog.Undone(told)}})
	}
}
