package audience

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marvin/actors/internal/feed"
	"marvin/messages"
)

// mostWindows is the maximum number of open windows per conversation.
const mostWindows = 1024

// Hall delivers the events of a conversation to its windows. It never waits for a reader.
type Hall struct {
	now func() time.Time

	mu      sync.Mutex
	record  record
	windows []*Window
	opened  int // the number of windows opened so far
	closed  bool
	over    chan struct{}
	live    listEntry
	stored  StoredConversation
}

// New returns a Hall that no window has joined.
func New(now func() time.Time) *Hall {
	return &Hall{now: now, record: newRecord(), over: make(chan struct{}), live: listEntry{since: now()}}
}

// Push sends an event to all windows, except that a reply goes only to the window that made the
// request. After Close, Push does nothing.
func (h *Hall) Push(envelope messages.Envelope) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	if asked, is := envelope.Event.(messages.Asked); is {
		asked.Digest = asked.Fingerprint()
		envelope.Event = asked
	}
	h.note(envelope)
	for _, window := range h.windows {
		if told, for_ := window.adapt(envelope); for_ {
			window.push(told)
		}
	}
	h.record.add(envelope)
}

func (h *Hall) note(envelope messages.Envelope) {
	before := h.live.state(h.drivers())
	h.live.take(envelope.Event, h.now())
	h.recordChange(before)
}

func (h *Hall) recordChange(before messages.LiveState) {
	if h.live.state(h.drivers()) != before {
		h.live.since = h.now()
	}
}

// Close tells all windows that there will be no more events.
func (h *Hall) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	before := h.live.state(h.drivers())
	h.closed, h.live.closed = true, true
	h.recordChange(before)
	for _, window := range h.windows {
		window.feed.Close()
	}
	h.windows = nil
	close(h.over)
}

// Done returns a channel that is closed when the conversation ends.
func (h *Hall) Done() <-chan struct{} { return h.over }

// StoredConversation is a conversation on disk. Its ID is "" before the first message.
type StoredConversation interface{ ID() string }

// SetStored sets the stored conversation, whose ID [Hall.Live] reports.
func (h *Hall) SetStored(stored StoredConversation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stored = stored
}

// SetTitle sets the title of the conversation.
func (h *Hall) SetTitle(title string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live.title = title
}

// Live describes the conversation for lists.
func (h *Hall) Live() messages.Live {
	h.mu.Lock()
	defer h.mu.Unlock()
	told := h.live.snapshot()
	if h.stored != nil {
		told.ID = h.stored.ID()
	}
	told.Windows = h.drivers()
	told.State = h.live.state(told.Windows)
	return told
}

// Watched reports whether at least one [messages.RoleDrive] window counts as watched.
func (h *Hall) Watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.drivers() > 0
}

func (h *Hall) drivers() (count int) {
	for _, window := range h.windows {
		if window.Role == messages.RoleDrive && !window.Silent {
			count++
		}
	}
	return count
}

// WindowOptions are the properties of a new window.
type WindowOptions struct {
	Name   string // shown in the other windows when this window answers a question
	Role   messages.WindowRole
	Silent bool // the window counts as unwatched
	First  bool // the window is opened before the first event
}

// Open adds a window, or returns nil if the conversation has ended or has too many windows. A
// window opened without wish.First begins with the earlier events of the conversation.
func (h *Hall) Open(wish WindowOptions) *Window {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.windows) >= mostWindows {
		return nil
	}
	before := h.live.state(h.drivers())
	h.opened++
	wish.Name = clipped(wish.Name)
	window := newWindow(h, wish, h.opened)
	h.windows = append(h.windows, window)
	h.recordChange(before)
	return window
}

// longestName is the maximum length of a window's name, in bytes.
const longestName = 80

// clipped collapses white space in a window's name and shortens a long name.
func clipped(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if len(name) > longestName {
		name = strings.ToValidUTF8(name[:longestName], "") + "…"
	}
	return name
}

func (h *Hall) leave(window *Window) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := slices.Index(h.windows, window)
	if at < 0 {
		return
	}
	before := h.live.state(h.drivers())
	h.windows = slices.Delete(h.windows, at, at+1)
	h.recordChange(before)
	window.feed.Push(messages.Envelope{At: h.now(), Event: messages.Closed{}})
	window.feed.Close()
}

// prefixOf returns the prefix that the hall gives to the requests of a window.
func prefixOf(number int) string { return "w" + strconv.Itoa(number) + ":" }

// ownID removes the window's prefix from a request id. If another window made the request, own is
// false.
func ownID(prefix, request string) (id string, own bool) { return strings.CutPrefix(request, prefix) }

// mostHeld is the maximum total size, in bytes, of the events that wait in one window's feed.
const mostHeld = 4 << 20

// Window is one view of a conversation. Its methods are safe for concurrent use, but two calls of
// Next must not overlap.
type Window struct {
	WindowOptions
	hall   *Hall
	prefix string
	feed   *feed.Feed

	// Guarded by hall.mu.
	behind bool            // the next batch contains the whole record
	lost   bool            // the window shows events that must be cleared before it gets hall.record
	wants  map[string]bool // replies that this window asked for

	once sync.Once
}

func newWindow(hall *Hall, wish WindowOptions, number int) *Window {
	window := &Window{WindowOptions: wish, hall: hall, prefix: prefixOf(number), feed: feed.New(), wants: map[string]bool{}}
	if !wish.First {
		window.behind = true
		window.feed.Drop() // the new feed is empty, so Drop only wakes the reader
	}
	return window
}

func (w *Window) push(envelope messages.Envelope) {
	if w.behind {
		return
	}
	w.feed.Push(envelope)
	if w.feed.Held() > mostHeld {
		w.behind, w.lost = true, true
		w.feed.Drop()
	}
}

// Next returns the events since the last call; if there are none, it waits. It returns io.EOF after
// [messages.Closed], and context.Cause(ctx) when ctx is done.
func (w *Window) Next(ctx context.Context) ([]messages.Envelope, error) {
	for {
		batch, closed := w.take()
		switch {
		case len(batch) > 0:
			return batch, nil
		case closed:
			return nil, io.EOF
		}
		select {
		case <-w.feed.Wake():
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (w *Window) take() (batch []messages.Envelope, closed bool) {
	w.hall.mu.Lock()
	defer w.hall.mu.Unlock()
	if !w.behind {
		return w.feed.Try()
	}
	rest, closed := w.feed.Try() // events for this window only
	all := w.hall.record.events()
	w.behind = false // without a record, the window has missed nothing
	if len(all) == 0 {
		return rest, closed
	}
	if w.lost {
		at := w.hall.now()
		batch = append(batch, messages.Envelope{Seq: all[0].Seq, Session: all[0].Session, At: at, Event: messages.Cleared{Why: messages.ClearedBehind}})
	}
	w.lost = true
	for _, envelope := range all {
		if told, for_ := w.adapt(envelope); for_ {
			batch = append(batch, told)
		}
	}
	batch = append(batch, rest...)
	if w.hall.closed { // messages.Closed is never recorded
		batch = append(batch, messages.Envelope{At: w.hall.now(), Event: messages.Closed{}})
	}
	return batch, false
}

// Close ends the window. The conversation continues.
func (w *Window) Close() { w.once.Do(func() { w.hall.leave(w) }) }

// Refuse tells only this window why a request was not carried out.
func (w *Window) Refuse(request, why string) {
	w.hall.mu.Lock()
	defer w.hall.mu.Unlock()
	w.feed.Push(messages.Envelope{Session: w.hall.record.opened.Session, At: w.hall.now(), Event: messages.Refused{Request: request, Err: why}})
}

// PrepareOp adds the window's prefix to request ids and the window's name to answers. It also notes
// which reply the window now expects.
func (w *Window) PrepareOp(op messages.Op) messages.Op {
	switch op := op.(type) {
	case messages.Request:
		return messages.Request{ID: w.prefix + op.ID, Op: w.PrepareOp(op.Op)}
	case messages.Cancel:
		if op.Request != "" {
			op.Request = w.prefix + op.Request
		}
		return op
	case messages.Answer:
		op.By = w.prefix + w.Name
		return op
	default:
		if reply := replyTo(op); reply != "" {
			w.hall.mu.Lock()
			defer w.hall.mu.Unlock()
			w.wants[reply] = true
		}
		return op
	}
}

// replyTo returns the name of the event that answers op and goes only to the window that asked. It
// returns "" if no such event answers op.
func replyTo(op messages.Op) string {
	switch op.(type) {
	case messages.ListTree:
		return "tree"
	case messages.ListChanges, messages.TakeBack:
		return "changes"
	case messages.ListArtifacts:
		return "artifacts"
	case messages.ShowContext:
		return "context"
	case messages.ShowNeeds:
		return "needs"
	case messages.VisitAgent:
		return "agent"
	default:
		return ""
	}
}

// adapt converts the ids and names in an event for this window. It returns false if the window must
// not receive the event.
func (w *Window) adapt(envelope messages.Envelope) (messages.Envelope, bool) {
	switch event := envelope.Event.(type) {
	case messages.Refused:
		id, own := ownID(w.prefix, event.Request)
		return withEvent(envelope, messages.Refused{Request: id, Err: strings.ReplaceAll(event.Err, w.prefix, "")}), own
	case messages.TurnStarted:
		event.Request, _ = w.requestID(event.Request)
		return withEvent(envelope, event), true
	case messages.Steered:
		event.Request, _ = w.requestID(event.Request)
		return withEvent(envelope, event), true
	case messages.Withdrawn:
		id, own := w.requestID(event.Request)
		event.Request = id
		return withEvent(envelope, event), own
	case messages.Answered:
		return withEvent(envelope, w.nameAnswerer(event)), true
	case messages.Tree, messages.Changes, messages.Artifacts, messages.ContextShown, messages.NeedsShown, messages.AgentShown:
		reply := messages.EventName(event)
		wanted := w.wants[reply]
		delete(w.wants, reply)
		return envelope, wanted
	default:
		return envelope, true
	}
}

// requestID removes the window's prefix from a request id. If another window made the request,
// requestID returns "" and false.
func (w *Window) requestID(request string) (id string, own bool) {
	if request == "" {
		return "", true
	}
	if id, own = ownID(w.prefix, request); own {
		return id, true
	}
	return "", false
}

// nameAnswerer sets event.By to the name of the window that answered, or to "" if this window
// answered. It compares window prefixes, because window names are not unique.
func (w *Window) nameAnswerer(event messages.Answered) messages.Answered {
	if _, own := ownID(w.prefix, event.By); own {
		event.By = ""
	} else if _, name, found := strings.Cut(event.By, ":"); found {
		event.By = name
	}
	return event
}

func withEvent(envelope messages.Envelope, event messages.Event) messages.Envelope {
	envelope.Event = event
	return envelope
}
