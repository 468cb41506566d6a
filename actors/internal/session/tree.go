package session

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/tools"
	"marvin/tools/hooks"
)

// This file switches to another stored conversation, or to another branch of the current
// conversation. A task reads the messages, and prompts wait until the switch is complete.

type (
	move struct {
		why     messages.ClearedWhy // empty if the current conversation is copied and stays on screen
		prompt  messages.Prompt     // the conversation continues from the point before this prompt
		again   bool                // whether to send the prompt again
		request string
	}
	moved struct {
		move
		kept     *conv.StoredSession
		problems []string // warnings for the user
		err      error
	}
	// contentRead is the result of [branches.complete].
	contentRead struct {
		content *sessionlog.Content
		err     error
	}
)

// branches is the part of a session that switches conversations or branches, and names turns.
type branches struct {
	*emitter
	config  *conv.Setup
	keeping *keeping
	turn    *currentTurn
	undoing *undoing
	moving  bool // a conversation is being read
	rest    bool // only the end of the current conversation is loaded; the rest is being read
}

const notStored = "This conversation is not stored, so there is nothing to go back to. Start without --no-session to store it; in a program, use --session NAME."

// op executes a request to switch to another conversation or branch.
func (b *branches) op(c actor.Context, op any) {
	kept := b.state.conversation.Stored
	if why := b.cannotMove(kept); why != "" {
		b.warn(why)
		return
	}
	home, terminal := b.config.Home, kept.Terminal
	switch op := op.(type) {
	case messages.Resume:
		if op.ID == kept.ID() {
			b.warn("This conversation is already open.")
			return
		}
		b.move(c, move{why: messages.ClearedResume}, func(*move) (*conv.StoredSession, error) { return conv.Resume(home, op.ID, terminal) })
	case messages.Fork:
		id, _ := kept.Log.Place()
		change := move{}
		if op.ID != "" && op.ID != id {
			change.why = messages.ClearedResume
		} else if id == "" {
			b.warn(sessionlog.ErrEmptyConversation.Error())
			return
		}
		b.move(c, change, func(*move) (*conv.StoredSession, error) {
			id, entry := kept.Log.Place() // now the log contains all earlier records
			if change.why == messages.ClearedResume {
				id, entry = op.ID, 0
			}
			copied, err := sessions.New(home).Fork(id, entry)
			if err != nil {
				return nil, err
			}
			return conv.Resume(home, copied, terminal)
		})
	case messages.Branch:
		b.move(c, move{why: messages.ClearedBranch}, func(*move) (*conv.StoredSession, error) { return kept.GoTo(op.Entry) })
	case messages.Rewind:
		b.move(c, move{why: messages.ClearedRewind, again: op.Again}, func(change *move) (*conv.StoredSession, error) {
			entry, prompt, err := kept.Log.FindPrompt(max(op.Prompts, 1))
			if err != nil {
				return nil, err
			}
			change.prompt = prompt
			return kept.GoTo(entry)
		})
	}
}

// cannotMove returns why switching is impossible now, or "" if it is possible.
func (b *branches) cannotMove(kept *conv.StoredSession) string {
	switch {
	case b.turn.runs() || b.state.running != "":
		return "A turn is running: wait until it ends, or cancel it first."
	case b.moving || b.undoing.busy():
		return "A switch or an undo is still in progress; try again in a moment."
	case kept == nil:
		return notStored
	}
	return ""
}

// move creates a task that reads another conversation or branch.
func (b *branches) move(c actor.Context, change move, read func(*move) (*conv.StoredSession, error)) {
	b.moving = true
	change.request = b.requestID()
	written := b.keeping.flushed(c)
	task.Do(c, func() any {
		written()
		kept, err := read(&change)
		message := moved{move: change, kept: kept, err: err}
		if dir := kept.StoredState().Dir; err == nil && dir != "" {
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				message.problems = append(message.problems, fmt.Sprintf("The directory of this conversation, %s, no longer exists.", tools.Visible(dir)))
			}
		}
		return message
	}, func(panicked *task.Panicked) any { return moved{move: change, err: panicked} })
}

// complete begins to read the whole conversation if, so far, only the end of the conversation was
// read. Prompts wait until the whole conversation is read, so that the model gets exactly the same
// messages as before.
func (b *branches) complete(c actor.Context) {
	if !b.partial() {
		return
	}
	kept := b.state.conversation.Stored
	b.moving, b.rest = true, true
	task.Do(c, func() any {
		content, err := kept.Log.Content()
		return contentRead{content: content, err: err}
	}, func(panicked *task.Panicked) any { return contentRead{err: panicked} })
}

// partial determines whether only the end of the conversation was read.
func (b *branches) partial() bool {
	kept := b.state.conversation.Stored
	return kept != nil && kept.Before != nil && kept.Before.Partial
}

// continueWhole continues the conversation after its beginning was read.
func (s *session) continueWhole(c actor.Context, message contentRead) {
	s.branches.moving, s.branches.rest = false, false
	if message.err != nil { // a model never gets half a conversation
		s.warn("The beginning of this conversation cannot be read, so the conversation cannot continue: " + message.err.Error())
		s.startOver(c)
	} else {
		whole := *s.state.conversation.Stored
		whole.Before = message.content
		s.state.conversation.Stored = &whole
		s.state.remember()
		s.keeping.problems(c)
	}
	s.startNextTurn(c)
}

// continueFrom switches to the conversation that was read.
func (s *session) continueFrom(c actor.Context, message moved) {
	s.branches.moving = false
	if message.err != nil {
		s.answering(&message.request).warn(message.err.Error())
	} else {
		s.takeUp(c, message)
	}
	if s.state.quitting {
		s.branches.moving = s.branches.partial() // the state of a partial conversation must not be logged
		c.Stop(c.Self())
		return
	}
	if message.err == nil {
		s.branches.complete(c)
	}
	s.startNextTurn(c)
}

func (s *session) takeUp(c actor.Context, message moved) {
	state, old := s.state, s.state.conversation.Stored
	other := message.kept.Log != old.Log
	if other {
		s.keeping.closeLog(c)
	}
	usage, turns := state.usage, state.turns
	state.forget()
	state.conversation.Stored = message.kept
	if message.why == messages.ClearedResume {
		state.usage = noUsage()
		state.recall()
	} else { // keep the totals and the turn count, so that turn names stay unique
		state.recall()
		state.usage, state.turns = usage, turns
	}
	if other {
		s.keeping.createUndoLog()
		s.keeping.artifacts()
	}
	if message.why != "" {
		s.tell(messages.Cleared{Why: message.why})
	}
	if other && message.why != "" {
		s.questions.forgetGrants()
	}
	if message.why == messages.ClearedResume {
		s.asItWas(c, message)
		s.hooks.greet(c, hooks.SessionResume)
	}
	if message.why == messages.ClearedRewind {
		s.keeping.showEarlierTurns()
		s.tell(messages.Rewound{Prompt: message.prompt.Text, Again: message.again})
	} else {
		s.keeping.showResumed(c, message.why != "")
	}
	s.tell(messages.UsageChanged{Usage: state.usage, Context: messages.Context{}})
	if message.again {
		s.state.queue = append([]waitingPrompt{{Prompt: message.prompt, request: message.request}}, s.state.queue...)
	}
}

// asItWas restores the model, the directory, the profile and the modes that the conversation had.
// If one of them no longer exists, the current value stays.
func (s *session) asItWas(c actor.Context, message moved) {
	left := message.kept.StoredState()
	begin := &s.state.conversation
	before := *begin
	if choice := left.Choice; choice.Provider != "" && choice != begin.Choice {
		s.models.choose(c, choice.Provider, func(_ actor.Context, _ conv.Choice, err error) { s.models.restore(choice, err) })
	}
	begin.Restore(left)
	if left.Dir != "" && len(message.problems) == 0 {
		begin.Dir, begin.Root = left.Dir, cmp.Or(left.Root, left.Dir)
	}
	if begin.Profile != before.Profile || begin.Policy.Coding != before.Policy.Coding || begin.Policy.Approval != before.Policy.Approval || begin.Dir != before.Dir {
		s.modeChanged()
	}
	if begin.Effort != before.Effort {
		s.tell(messages.EffortChanged{Effort: string(begin.Effort), Takes: string(s.Config.Properties(left.Choice).Fit(begin.Effort))})
	}
	for _, problem := range message.problems {
		s.tell(messages.Notice{Level: messages.Warning, Text: problem})
	}
}

// label gives a turn the name in wish.Text, or removes the name if the text is empty.
func (b *branches) label(c actor.Context, wish messages.Label) {
	kept := b.state.conversation.Stored
	if why := b.cannotMove(kept); why != "" {
		b.warn(why)
		return
	}
	id, entry := kept.Log.Place()
	if wish.Entry > 0 {
		entry = wish.Entry
	}
	if id == "" || entry == 0 {
		b.warn(sessionlog.ErrEmptyConversation.Error())
		return
	}
	if !kept.Log.HasEntry(entry) {
		b.warn(sessionlog.ErrNoPlace.Error())
		return
	}
	text := strings.Join(strings.Fields(wish.Text), " ")
	b.keeping.log(c, sessionlog.LabelRecord(entry, text))
	told := "This place is called: " + text + " (/branch goes back to it)"
	if text == "" {
		told = "The label is removed."
	}
	b.tell(messages.Notice{Level: messages.Info, Text: told})
}

func (s *session) receiveBranch(c actor.Context, message any) {
	switch message := message.(type) {
	case moved:
		s.continueFrom(c, message)
	case contentRead:
		s.continueWhole(c, message)
	}
}
