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

// State is the state of a session. The constructor of the actor holds the state, so the state
// survives a restart of the actor. Only the running actor uses the state; after the end of the
// session, only the root actor does.
type State struct {
	name         string
	conversation conv.LiveConversation
	feed         conv.Audience
	seq          uint64
	committed    []messages.Message
	erased       int // how many of the erasers in [memory.Store] were already applied to the committed messages
	usage        messages.Usage
	turns        int
	running      string           // the running turn, "" if idle
	asker        string           // the id of the request that began it
	said         *strings.Builder // the answer so far; owned by the turn while the turn runs
	grants       grants
	seen         *tools.Stamps
	frame        prompt.Frame         // the system text with which the conversation began
	offered      []providers.ToolSpec // the tools that the model knows
	tainted      string               // the first source of untrusted or private text, or ""
	known        *tools.KnownHosts    // the hosts that the conversation knows
	plan         conv.Plan
	plans        int // how many times the plan has changed
	unheard
	finished []finished
	beside   messages.Usage   // the usage of reviews that ended during a turn
	context  messages.Context // after the last answer
	focus    string           // the subject that a requested summary must keep
	servers  []string         // running language servers
	sent     sentBeside
	marked   stateMark       // identifies the state that was logged last
	queue    []waitingPrompt // prompts, the oldest first
	later
	closed bool
}

// later lists what the session must do after the running turn.
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

// windowedAudience is the audience of a front end with windows. The two setters receive the
// conversation on disk and its title, which lists of conversations show.
type windowedAudience interface {
	SetStored(windows.StoredConversation)
	SetTitle(string)
	Watched() bool
}

// Tainted names the first source of untrusted or private text, or returns "".
func (k *State) Tainted() string { return k.tainted }

// Places returns the paths whose text is in the conversation.
func (k *State) Places() []string { return k.places() }

// Said is the text of the last answer.
func (k *State) Said() string { return k.said.String() }

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

// tell stamps an event and sends it to the front ends.
func (k *State) tell(now time.Time, event messages.Event) {
	k.seq++
	if hall, is := k.feed.(windowedAudience); is {
		hall.SetStored(k.conversation.Stored)
	}
	k.feed.Push(messages.Envelope{Seq: k.seq, Session: k.name, Turn: k.running, At: now, Event: event})
}

// Close ends the event stream. If a turn is running, Close first reports the end of that turn, so
// that callers return.
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
