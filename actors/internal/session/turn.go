package session

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/kernel"
	"marvin/actors/internal/model"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/turn"
	"marvin/messages"
	"marvin/providers"
)

// currentTurn tracks the running turn until it is complete.
type currentTurn struct {
	pid     *actor.PID  // nil while no turn runs
	ended   *turn.Ended // the turn's report; nil before the end
	written bool        // the end of the turn is on disk
	buried  bool        // the actor has ended; the turn waits only for its records and usage
	owed    int         // the number of pending cost corrections
	hurried bool        // the user does not want to wait for the final cost
	late    bool        // the end of the turn was not written to disk in time
	beside  *aside      // set if the turn is not part of the conversation
}

func (t *currentTurn) runs() bool { return t.pid != nil }

func (t *currentTurn) begin(pid *actor.PID) {
	t.pid, t.ended, t.written, t.buried, t.hurried, t.late = pid, nil, false, false, false, false
}

// send delivers a message to the running turn. It returns false if no turn is running.
func (t *currentTurn) send(c actor.Context, message any) bool {
	if t.pid == nil {
		return false
	}
	c.Send(t.pid, message)
	return true
}

// hurry cancels the turn. If the turn has ended, hurry ends the wait for the final cost.
func (t *currentTurn) hurry(c actor.Context) {
	if !t.buried {
		c.Send(t.pid, turn.CancelTurn{})
		return
	}
	t.hurried = true
}

// complete returns true if the turn has ended and no longer waits for the disk. If headless is
// true, the cost must be final, because a headless caller would miss a later correction.
func (t *currentTurn) complete(headless bool) bool { return t.buried && !t.unsettled(headless) }

// unsettled returns true if an ended turn waits for the disk or, if headless is true, for the final
// cost.
func (t *currentTurn) unsettled(headless bool) bool {
	if t.ended == nil {
		return false
	}
	return t.hangs() && !t.late || t.owed > 0 && headless && !t.hurried
}

func (t *currentTurn) hangs() bool { return t.ended != nil && t.ended.Kept && !t.written }

// diskLate reports that Tuning.Disk has passed since a turn's actor ended.
type diskLate struct{ turn string }

// leave resets the turn and returns its report and its aside. Either can be nil.
func (t *currentTurn) leave() (*turn.Ended, *aside) {
	ended, beside := t.ended, t.beside
	t.pid, t.ended, t.beside, t.buried = nil, nil, nil, false
	return ended, beside
}

// prompt enqueues op and, if the session is idle, starts the next turn.
func (s *session) prompt(c actor.Context, op messages.Prompt) {
	// A prompt with parts or pictures needs its own turn.
	op.Steer = op.Steer && op.Parts == nil && len(op.Pictures) == 0
	s.queue.add(waitingPrompt{Prompt: op, request: s.requestID()})
	if op.Steer { // tell the running turn, if any, that the prompt is waiting
		s.turn.send(c, turn.PendingWords{Due: true})
	}
	s.startNextTurn(c)
}

// startNextTurn starts the turn of the next prompt if the session is idle.
func (s *session) startNextTurn(c actor.Context) {
	if s.turn.runs() || s.state.quitting || s.branches.moving || s.undoing.reversing() || s.hooks.waits+len(s.models.choosing) > 0 {
		return
	}
	if s.state.compacts {
		s.compactNow(c)
		return
	}
	if len(s.state.queue) == 0 {
		s.files.offer(c)
		return
	}
	prompt := &s.state.queue[0] // until the turn starts, the prompt can be withdrawn
	if s.hooks.rereadFor(c, prompt) {
		return
	}
	if prompt.Provider != "" && prompt.picked == nil {
		s.models.pick(c, prompt)
		return
	}
	s.answer(c, s.queue.take())
}

func (s *session) answer(c actor.Context, prompt waitingPrompt) {
	if prompt.aside != nil {
		s.begin(messages.TurnStarted{Prompt: prompt.aside.asked, Request: prompt.request, Aside: true})
		s.turn.beside = prompt.aside
		s.spawn(c, prompt.aside.turnInput(prompt.Text, s.state))
		return
	}
	s.state.takeIn(prompt.Prompt)
	s.begin(messages.TurnStarted{Prompt: prompt.Text, Request: prompt.request, Pictures: messages.Labels(prompt.Pictures), Images: prompt.Pictures})
	begin, err := s.models.answeredBy(prompt)
	if err != nil {
		s.tell(messages.TurnEnded{Outcome: messages.Failed, Usage: s.state.usage, Err: err.Error()})
		s.state.running = ""
		s.startNextTurn(c)
		return
	}
	news := append(s.state.untold, s.state.jobNews()...)
	s.state.untold = nil
	undone := s.state.undone
	s.state.undone = nil
	if prompt.Parts != nil && prompt.Parts.Ran != "" {
		undone = append(undone, prompt.Parts.Ran)
	}
	words := s.state.words
	s.state.words = nil
	s.spawn(c, turn.Input{Prompt: prompt.Text, Typed: s.state.ownWords(prompt.Prompt), Pictures: prompt.Pictures, Parts: prompt.Parts, Conversation: begin, News: news, Undone: undone, Words: words})
}

func (s *session) begin(event messages.TurnStarted) {
	s.state.turns++
	s.state.running = fmt.Sprintf("t%d", s.state.turns)
	s.state.said.Store(&turn.AnswerText{})
	s.paused = pausedTurn{}
	s.state.asker = event.Request
	s.tell(event)
}

func (s *session) spawn(c actor.Context, input turn.Input) {
	input.Turn, input.History, input.Usage, input.Seen = s.state.running, s.state.committed, s.state.usage, s.state.seen
	input.Tainted, input.Known, input.Frame, input.Offered = s.state.tainted, s.state.known, s.state.frame, s.state.offered
	input.Erased = s.state.erased
	input.Plan, input.Tools, input.Said = s.state.plan, s.Config.Tools.Snapshot(), s.state.said.Load()
	if !input.Conversation.Policy.Agent {
		input.Conversation.UndoTurn = input.Turn
	}
	if input.Conversation.Stored != nil {
		input.Stands = s.keeping.currentState()
	}
	s.state.beside = messages.Usage{}
	s.models.last = input.Conversation.Choice
	input.Session, input.Provider = c.Self(), s.models.provider(c, s.models.last)
	pid, err := c.SpawnNamed(kernel.Synchronous(kernel.Props(s.Config.Log, func() actor.Actor {
		return turn.New(s.Deps, openSub(s.Deps), input)
	})), "router-"+s.state.running)
	if err != nil {
		panic(err)
	}
	s.turn.begin(pid)
}

func (s *session) correctCost(c actor.Context, message model.Corrected) {
	s.turn.owed--
	if sums, charged, known := correction(s.Config, message, s.state.conversation.Policy.Limits.Cost > 0); known {
		c.Send(s.Recorder, charged)
		s.absorb(sums, s.turn.runs())
	}
	s.settleEnd(c)
}

func (s *session) settleEnd(c actor.Context) {
	if s.turn.complete(!s.state.conversation.Policy.Person && !s.state.quitting) {
		s.finishTurn(c)
	}
}

// correction returns the changes to the conversation's totals and to the overall spending. It
// returns false if the real usage is unknown or implausible.
func correction(config *conv.Setup, message model.Corrected, limited bool) (messages.Usage, recorder.Spent, bool) {
	if !message.Is.Known || !message.Is.Sane() {
		return messages.Usage{}, recorder.Spent{}, false
	}
	before, _ := config.Cost(message.Choice, message.Was, limited)
	after, _ := config.Cost(message.Choice, message.Is, limited)
	more := providers.Usage{Input: message.Is.Input - message.Was.Input, Cached: message.Is.Cached - message.Was.Cached, Output: message.Is.Output - message.Was.Output}
	sums := messages.Usage{
		Cost: after - before, ModelCost: map[string]float64{message.Choice.Model: after - before}, Estimated: -1,
		InputTokens: more.Input, CachedTokens: more.Cached, OutputTokens: more.Output,
	}
	was, _ := config.Cost(message.Choice, message.Was, false)
	is, _ := config.Cost(message.Choice, message.Is, false)
	return sums, recorder.Spent{Choice: message.Choice, Usage: more, Cost: is - was, Corrects: true}, true
}

func (s *session) receiveTurn(c actor.Context, message any) {
	switch message := message.(type) {
	case turn.Ended:
		if message.Turn == s.state.running { // a report from before a restart is ignored
			s.turn.ended = &message
		}
	case recorder.TurnWritten:
		if message.Turn == s.state.running {
			s.turn.written = true
			s.settleEnd(c)
		}
	case diskLate:
		if message.turn == s.state.running && s.turn.buried {
			s.turn.late = true
			s.settleEnd(c)
		}
	case model.UsagePending:
		s.turn.owed++
	case model.Corrected:
		s.correctCost(c, message)
	case turn.TimeUp:
		s.paused.timeUp(c.Sender(), s.Config.Now())
	}
}

// opTurn handles ops for the running turn. It also starts side questions.
func (s *session) opTurn(c actor.Context, op any) {
	switch op := op.(type) {
	case messages.Background:
		if !s.turn.send(c, op) {
			s.warn("No running command can move to the background.")
		}
	case messages.VisitAgent:
		if !s.turn.send(c, op) && !op.More {
			s.warn(call.NoSuchAgent)
		}
	case messages.SideQuestion:
		s.askBeside(c, op.Text, "/btw "+op.Text, false)
	case messages.Handoff:
		text, asked := handoffPrompt(op.Focus)
		s.askBeside(c, text, asked, true)
	}
}
