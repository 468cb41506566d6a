package session

import (
	"sync/atomic"
	"time"

	windows "marvin/actors/internal/audience"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/actors/internal/turn"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// State is the state of a session. A restarted session actor continues with the same State. While
// the session runs, only its actor uses the State; afterwards, only the actor's parent does.
type State struct {
	name         string
	conversation conv.LiveConversation
	feed         conv.Audience
	seq          uint64
	committed    []messages.Message
	erased       int // the number of memory.Eraser values that were applied to the messages
	usage        messages.Usage
	turns        int
	running      string                          // the running turn, "" if idle
	asker        string                          // the id of the request that began the running turn
	said         atomic.Pointer[turn.AnswerText] // the answer so far, to which the running turn appends
	grants       grants
	seen         *tools.Stamps
	frame        prompt.Frame         // the system text with which the conversation began
	offered      []providers.ToolSpec // the tools that the model knows
	tainted      string               // the first source of untrusted or private text, or ""
	known        *tools.KnownHosts
	plan         conv.Plan
	plans        int // how many times the plan has changed
	unheard
	finished []finished
	beside   messages.Usage   // usage that the running turn does not count, such as reviews
	context  messages.Context // the context size after the last answer
	focus    string           // the subject that a requested summary must keep
	servers  []string         // running language servers
	sent     sentBeside
	marked   stateMark       // identifies the state that was logged last
	queue    []waitingPrompt // waiting prompts, oldest first
	later
	closed bool
}

// later contains what the session must do after the running turn.
type later struct {
	quitting bool
	clearing bool // a new conversation begins
	compacts bool // the conversation is compacted before the next prompt
}

// unheard is news that the model has not received yet.
type unheard struct {
	untold []string // alarms
	undone []string // changes that the user undid
	words  []string // output of hooks
}

// windowedAudience is the audience of a front end with windows. SetStored and SetTitle provide the
// data for lists of conversations.
type windowedAudience interface {
	SetStored(windows.StoredConversation)
	SetTitle(string)
	Watched() bool
}

// Tainted returns the first source of untrusted or private text, or "".
func (k *State) Tainted() string { return k.tainted }

// Places returns the paths that the conversation's text could come from.
func (k *State) Places() []string { return k.places() }

// Said returns the text of the latest answer, or "" before the first turn. It is safe for
// concurrent use: a parent calls it when a sub-agent does not stop in time.
func (k *State) Said() string { return k.said.Load().String() }

func (k *State) setTitle(title string) {
	if hall, is := k.feed.(windowedAudience); is {
		hall.SetTitle(title)
	}
}

func NewState(conversation conv.LiveConversation, events conv.Audience) *State {
	k := &State{
		name: conversation.Name, conversation: conversation, feed: events,
		seen: &tools.Stamps{}, known: &tools.KnownHosts{}, tainted: conversation.Policy.Taint(),
		usage: noUsage(),
	}
	k.recall()
	return k
}

func noUsage() messages.Usage {
	return messages.Usage{ModelTurns: map[string]int{}, ModelCost: map[string]float64{}, ToolCalls: map[string]int{}}
}

// tell sends an event to the front ends.
func (k *State) tell(now time.Time, event messages.Event) {
	k.seq++
	if hall, is := k.feed.(windowedAudience); is {
		hall.SetStored(k.conversation.Stored)
	}
	k.feed.Push(messages.Envelope{Seq: k.seq, Session: k.name, Turn: k.running, At: now, Event: event})
}

// Close ends the event stream. It first reports the end of the running turn, if any, because front
// ends wait for that event.
func (k *State) Close(now time.Time) {
	if k.closed {
		return
	}
	k.closed = true
	if k.running != "" {
		k.tell(now, messages.TurnEnded{Outcome: messages.Failed, Text: k.Said(), Usage: k.usage, Err: "the conversation ended unexpectedly"})
		k.running = ""
	}
	for _, prompt := range k.queue {
		k.tell(now, messages.Withdrawn{Request: prompt.request, Prompt: prompt.Text})
	}
	k.queue = nil
	k.tell(now, messages.Closed{})
	k.feed.Close()
}
