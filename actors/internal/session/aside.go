package session

import (
	"cmp"
	"errors"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/turn"
	"marvin/messages"
	"marvin/persistence/undolog"
	"marvin/providers"
	"marvin/tools"
)

// This file handles turns that are not part of the conversation. Such a turn answers a side
// question, or writes a summary that begins another conversation.

// aside describes the running turn if it is not part of the conversation.
type aside struct {
	asked   string // the question as the user typed it
	handoff bool
	cost    float64 // the cost of the conversation before this turn, in US dollars
	sent    []sessionlog.Sent
}

// handoffText asks the model for the summary with which a new conversation begins.
const handoffText = `The work continues in a new conversation that knows nothing of this one. Write down what it must know: what the user wants; what was decided, and why; what was done, with the names of files, commands and places; what was tried and did not work; what is left, and the next step. Be exact about names, paths and numbers, and leave out what no longer matters. Use the language of this conversation. Answer with that text alone and call no tool.`

// askBeside queues a turn that is not part of the conversation.
func (s *session) askBeside(c actor.Context, text, asked string, handoff bool) {
	if handoff && len(s.state.committed) == 0 && !s.turn.runs() {
		s.warn("There is nothing to hand over yet: this conversation has just started.")
		return
	}
	if handoff && s.state.conversation.Choice.Provider == providers.Offline {
		s.warn("The built-in assistant has no model to write a summary; choose one (/model), or start a new conversation (/clear).")
		return
	}
	s.queue.add(waitingPrompt{Prompt: messages.Prompt{Text: text}, request: s.requestID(), aside: &aside{asked: asked, handoff: handoff}})
	s.startNextTurn(c)
}

func handoffPrompt(focus string) (text, asked string) {
	if focus = strings.TrimSpace(focus); focus == "" {
		return handoffText, "/handoff"
	}
	return handoffText + "\n\nWhat matters most: " + focus, "/handoff " + focus
}

// turnInput returns the input for a turn that is not part of the conversation. The turn has only
// read-only tools and stores nothing. The session logs the turn after its end.
func (a *aside) turnInput(prompt string, state *State) turn.Input {
	a.cost = state.usage.Cost
	input := turn.Input{Prompt: prompt, Conversation: state.conversation, Aside: true}
	input.Conversation.Stored, input.Conversation.Policy.Persist = nil, false
	input.Conversation.Policy.SetReadOnly("a side question must not change anything")
	return input
}

// besideEnded logs a side question and its answer. If the answer is a handover summary, besideEnded
// begins the new conversation.
func (s *session) besideEnded(c actor.Context, beside *aside, ended *turn.Ended) {
	s.keeping.log(c, sessionlog.AsideRecord(beside.asked, ended.Event, s.state.usage.Cost-beside.cost, beside.sent))
	if beside.handoff && ended.Event.Outcome == messages.Completed && ended.Event.Text != "" && !s.state.clearing && !s.state.quitting {
		s.handOver(c, beside.asked, ended)
	}
}

// handOver begins a new conversation from the summary that the turn wrote.
func (s *session) handOver(c actor.Context, asked string, ended *turn.Ended) {
	const request = "Sum up what you must know about the previous conversation."
	said := []messages.Message{{Role: messages.User, Text: request, Origin: messages.Origin{From: messages.FromMarvin}}, {Role: messages.Assistant, Text: ended.Event.Text, Origin: messages.Origin{From: messages.FromModel, Places: s.Config.PrivateDirs(s.state.places())}}}
	tainted := cmp.Or(ended.Tainted, s.state.tainted)
	old := s.state.conversation.Stored
	if old == nil {
		undo := s.state.conversation.Undo
		s.startOver(c)
		s.state.conversation.Undo = undo
		s.state.committed, s.state.tainted = said, tainted
		s.tell(messages.Cleared{Why: messages.ClearedHandoff})
		s.tell(messages.Recalled{At: s.Config.Now(), Prompt: asked, Steps: []messages.RecalledStep{{Text: ended.Event.Text}}, Outcome: messages.Completed})
		return
	}
	secrets := tools.SecretsOf(s.Config.Environ, s.Config.Home.User)
	stands := s.keeping.currentState()
	stands.Tainted, stands.Plan, stands.Untold, stands.Words = tainted, nil, nil, nil
	records, dir := sessionlog.HandoffRecords(asked, said, stands), s.state.conversation.Dir
	s.branches.move(c, move{why: messages.ClearedHandoff}, func(*move) (*conv.StoredSession, error) {
		log := old.Log.NextForHandoff()
		records[0] = records[0].OnBranch(old.Branch(dir))
		if err := log.Add(true, secrets.Hide, records...); err != nil {
			return nil, errors.Join(err, log.Close())
		}
		content, err := log.Content()
		if err = errors.Join(err, undolog.Copy(s.Config.Home, old.ID(), log.ID(), s.Config.Now())); err != nil {
			return nil, errors.Join(err, log.Close())
		}
		return &conv.StoredSession{Log: log, Before: content, Terminal: old.Terminal}, nil
	})
}
