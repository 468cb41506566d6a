package session

import (
	"strings"
	"time"

	windows "marvin/actors/internal/audience"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// State is what a session has to lose: it outlives a restart, because the producer
// of the next incarnation holds it. Only the session's current incarnation, and
// marvin after the last one, touch it.
type State struct {
	name         string
	conversation conv.Running
	feed         conv.Audience
	seq          uint64
	committed    []messages.Message
	erased       int // how many of the erasers of [memory.Store] were applied to committed
	usage        messages.Usage
	turns        int
	running      string           // the turn that is under way, "" if idle
	asker        string           // the id of the request that it answers
	said         *strings.Builder // what its answer says: its turn's as long as that lives
	grants       grants
	seen         *tools.Stamps
	frame        prompt.Frame         // the system text that the conversation began with
	offered      []providers.ToolSpec // the tools that its model knows
	tainted      string               // what first brought words of strangers or what is private, "" if nothing did
	known        *tools.KnownHosts    // the places on the network that it knows
	plan         conv.Plan
	plans        int // how often it changed
	unheard
	finished []finished
	beside   messages.Usage   // of reviews that ended while a turn ran
	context  messages.Context // after the last answer
	focus    string           // of the compaction that was asked for
	servers  []string         // language servers that run
	sent     sentBeside
	marked   stateMark // of the state that was written down last
	queue    []waiting // prompts, the oldest first
	later
	closed bool
}

// later is what happens when the running turn has ended.
type later struct {
	quitting bool
	clearing bool // a new conversation begins
	compacts bool // the conversation is compacted before the next prompt
}

// unheard is what the model does not know of yet.
type unheard struct {
	untold []string // alarms
	undone []string // what the person took back
	words  []string // of hooks
}

// windowed is an audience that lists of live conversations ask.
type windowed interface {
	Keeps(windows.Stored)
	Titled(string)
	Watched() bool
}

// Tainted says what first brought words of strangers or what is private, "" if nothing did.
func (k *State) Tainted() string { return k.tainted }

// Places are what the conversation holds words from.
func (k *State) Places() []string { return k.places() }

// Said is what the last answer says.
func (k *State) Said() string { return k.said.String() }

// called notes the title of the conversation.
func (k *State) called(title string) {
	if hall, is := k.feed.(windowed); is {
		hall.Titled(title)
	}
}

func NewState(conversation conv.Running, events conv.Audience) *State {
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

// tell stamps an event and hands it to the front ends.
func (k *State) tell(now time.Time, event messages.Event) {
	k.seq++
	if hall, is := k.feed.(windowed); is {
		hall.Keeps(k.conversation.Kept)
	}
	k.feed.Push(messages.Envelope{Seq: k.seq, Session: k.name, Turn: k.running, At: now, Event: event})
}

// Close ends the event stream. It ends a running turn, so that its callers return.
func (k *State) Close(now time.Time) {
	if k.closed {
		return
	}
	k.closed = true
	if k.running != "" {
		k.tell(now, messages.TurnEnded{Outcome: messages.Failed, Text: k.said.String(), Usage: k.usage, Err: "the conversation ended unexpectedly"})
		k.running = ""
	}
	for _, prompt := range k.queue {
		k.tell(now, messages.Withdrawn{Request: prompt.request, Prompt: prompt.Text})
	}
	k.queue = nil
	k.tell(now, messages.Closed{})
	k.feed.Close()
}
