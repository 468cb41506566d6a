package audience

import (
	"fmt"
	"strings"

	"marvin/actors/internal/feed"
	"marvin/messages"
)

// mostRecorded is the maximum size of a conversation's record, in bytes. A larger record loses its
// oldest turns.
const mostRecorded = 32 << 20

// record is the shortest list of events from which a window can show the conversation so far.
// Consecutive pieces of text are joined, and a newer total replaces an older one. Events that
// matter only for a moment are left out.
type record struct {
	opened  messages.Envelope
	entries []entry
	last    map[string]int // indexes into entries, by key
	size    int            // approximate bytes
	gone    int            // removed entries that are still in the list
	dropped int            // turns that were dropped
	limit   int
}

type entry struct {
	envelope messages.Envelope
	key      string
	more     *strings.Builder // the text after the first piece
	size     int
	gone     bool
}

// Keys of entries that can be replaced or extended.
const (
	speechKey  = "speech"
	waitingKey = "waiting"
)

func newRecord() record { return record{last: map[string]int{}, limit: mostRecorded} }

func (r *record) add(envelope messages.Envelope) {
	switch event := envelope.Event.(type) {
	case messages.Opened:
		r.opened = envelope
	case messages.ModeChanged, messages.ModelChanged, messages.EffortChanged:
		r.change(envelope)
	case messages.Text:
		r.piece(speechKey, event.Chunk, envelope)
	case messages.Thinking:
		r.piece(speechKey, event.Chunk, envelope)
	case messages.ToolOutput:
		r.piece("output "+event.Call, event.Chunk, envelope)
	case messages.Cleared:
		r.clear()
	case messages.Asked, messages.UsageChanged, messages.AgentChanged, messages.PlanChanged, messages.Granted, messages.Resumed, messages.Waiting:
		r.replace(keyOf(event), envelope)
	case messages.Answered:
		r.remove("ask " + event.Ask)
	case messages.TurnStarted:
		r.addClosing(event, envelope)
	case messages.ToolEnded:
		r.remove("output " + event.Call)
		r.addClosing(event, envelope)
	case messages.TurnEnded:
		r.remove(waitingKey)
		event.Exit = false
		r.addClosing(event, envelope)
		r.shrink()
	case messages.Recalled:
		r.addClosing(event, envelope)
		r.shrink()
	case messages.ToolsCalled, messages.ToolStarted, messages.Steered, messages.Notice, messages.Compacted, messages.Diagnosed:
		r.addClosing(event, envelope)
	case messages.Refused, messages.Withdrawn, messages.Rewound, messages.Tree, messages.Changes, messages.Artifacts, messages.AgentShown, messages.ContextShown, messages.NeedsShown, messages.Closed:
		// Short-lived events are not recorded, and neither are replies that only one window gets.
	}
}

// keyOf returns the key of an event. An event replaces the previous event with the same key.
func keyOf(event messages.Event) string {
	switch event := event.(type) {
	case messages.Asked:
		return "ask " + event.Ask
	case messages.AgentChanged:
		return fmt.Sprintf("agent %s %d", event.Call, event.Agent)
	case messages.Waiting:
		return waitingKey
	default:
		return messages.EventName(event)
	}
}

// change updates the modes, model or effort in the recorded [messages.Opened].
func (r *record) change(envelope messages.Envelope) {
	opened, _ := r.opened.Event.(messages.Opened)
	switch event := envelope.Event.(type) {
	case messages.ModeChanged:
		opened.Dir, opened.Coding, opened.Approval = event.Dir, event.Coding, event.Approval
		if event.Profile != "" {
			opened.Profile = event.Profile
		}
	case messages.ModelChanged:
		if event.Why != "" && !event.Stays {
			r.addClosing(event, envelope) // the new model answers only the rest of this turn
			return
		}
		opened.Provider, opened.Model = event.Provider, event.Model
	case messages.EffortChanged:
		opened.Effort = event.Effort
	default: // no other event comes from record.add
	}
	r.opened.Event = opened
}

// addClosing adds an entry and closes the current text entry. Later text starts a new entry.
func (r *record) addClosing(event messages.Event, envelope messages.Envelope) {
	envelope.Event = event
	delete(r.last, speechKey)
	r.append("", envelope)
}

func (r *record) append(key string, envelope messages.Envelope) {
	size := feed.Size(envelope.Event)
	r.entries = append(r.entries, entry{envelope: envelope, key: key, size: size})
	r.size += size
	if key != "" {
		r.last[key] = len(r.entries) - 1
	}
}

func (r *record) replace(key string, envelope messages.Envelope) {
	r.remove(key)
	r.append(key, envelope)
	r.tidy()
}

func (r *record) remove(key string) {
	at, known := r.last[key]
	if !known {
		return
	}
	delete(r.last, key)
	r.size -= r.entries[at].size
	r.entries[at] = entry{gone: true}
	r.gone++
}

// piece appends chunk to the latest entry with the given key. It adds a new entry if the key is
// unknown or the kind of event has changed.
func (r *record) piece(key, chunk string, envelope messages.Envelope) {
	at, known := r.last[key]
	if !known || messages.EventName(r.entries[at].envelope.Event) != messages.EventName(envelope.Event) {
		r.append(key, envelope)
		return
	}
	one := &r.entries[at]
	if one.more == nil {
		one.more = &strings.Builder{}
	}
	one.more.WriteString(chunk)
	one.size += len(chunk)
	r.size += len(chunk)
}

func (r *record) clear() {
	opened, limit := r.opened, r.limit
	*r = newRecord()
	r.opened, r.limit = opened, limit
}

// shrink does nothing while the record is within its limit. Otherwise it removes the oldest turns
// until at most half of the limit is used.
func (r *record) shrink() {
	if r.size <= r.limit {
		return
	}
	end := 0
	for i, one := range r.entries {
		if !endsTurn(one) || r.size <= r.limit/2 {
			continue
		}
		for _, old := range r.entries[end : i+1] {
			r.size -= old.size
		}
		end, r.dropped = i+1, r.dropped+1
	}
	r.keep(func(i int, one entry) bool { return i >= end || outlivesTurn(one.key) })
}

// outlivesTurn reports whether an entry with this key is still needed after its turn.
func outlivesTurn(key string) bool {
	switch key {
	case "plan_changed", "grants", "resumed", "usage_changed":
		return true
	default:
		return strings.HasPrefix(key, "ask ")
	}
}

func endsTurn(one entry) bool {
	switch one.envelope.Event.(type) {
	case messages.TurnEnded, messages.Recalled:
		return true
	default:
		return false
	}
}

// tidy compacts the list if most entries are gone. It ignores 64 or fewer gone entries.
func (r *record) tidy() {
	if r.gone > 64 && r.gone > len(r.entries)/2 {
		r.keep(func(_ int, one entry) bool { return !one.gone })
	}
}

func (r *record) keep(wanted func(i int, one entry) bool) {
	kept, last := make([]entry, 0, len(r.entries)), map[string]int{}
	r.gone, r.size = 0, 0
	for i, one := range r.entries {
		if !wanted(i, one) {
			continue
		}
		if at, open := r.last[one.key]; one.key != "" && open && at == i {
			last[one.key] = len(kept)
		}
		if one.gone {
			r.gone++
		}
		r.size += one.size
		kept = append(kept, one)
	}
	r.entries, r.last = kept, last
}

func (r *record) events() []messages.Envelope {
	if r.opened.Event == nil {
		return nil
	}
	told := make([]messages.Envelope, 0, len(r.entries)+2)
	told = append(told, r.opened)
	if r.dropped > 0 {
		told = append(told, messages.Envelope{Seq: r.opened.Seq, Session: r.opened.Session, At: r.opened.At, Event: messages.Notice{
			Level: messages.Info, Text: messages.Counted(r.dropped, "earlier turn") + " left out here; to see everything, run marvin sessions show.",
		}})
	}
	for _, one := range r.entries {
		if !one.gone {
			told = append(told, feed.Join(one.envelope, one.more))
		}
	}
	return told
}
