package audience

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marvin/messages"
)

// mostWindows bounds the open windows of one conversation.
const mostWindows = 1024

// Hall is where the events of a conversation go when it may have several windows. It never
// waits for a reader. See [New].
type Hall struct {
	now func() time.Time

	mu      sync.Mutex
	record  record
	windows []*Window
	opened  int // windows so far
	closed  bool
	over    chan struct{}
	live    live
	stored  Stored
}

// New makes a hall without windows.
func New(now func() time.Time) *Hall {
	return &Hall{now: now, record: newRecord(), over: make(chan struct{}), live: live{since: now()}}
}

// Push gives an event to all windows that it is for. After Close it is dropped.
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
		if told, for_ := window.sees(envelope); for_ {
			window.push(told)
		}
	}
	h.record.add(envelope)
}

// note keeps the state of the conversation up to date.
func (h *Hall) note(envelope messages.Envelope) {
	before := h.live.state(h.drivers())
	h.live.take(envelope.Event, h.now())
	h.changed(before)
}

// changed notes when another state began.
func (h *Hall) changed(before messages.LiveState) {
	if h.live.state(h.drivers()) != before {
		h.live.since = h.now()
	}
}

// Close tells all windows that nothing follows.
func (h *Hall) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	before := h.live.state(h.drivers())
	h.closed, h.live.closed = true, true
	h.changed(before)
	for _, window := range h.windows {
		window.feed.Close()
	}
	h.windows = nil
	close(h.over)
}

// Over is closed when the conversation is.
func (h *Hall) Over() <-chan struct{} { return h.over }

// Stored is a conversation on the disk, whose id is empty until something was said.
type Stored interface{ ID() string }

// Keeps notes which stored conversation this one is.
func (h *Hall) Keeps(stored Stored) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stored = stored
}

// Titled notes what the conversation is called.
func (h *Hall) Titled(title string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live.title = title
}

// Live describes the conversation at present.
func (h *Hall) Live() messages.Live {
	h.mu.Lock()
	defer h.mu.Unlock()
	told := h.live.told()
	if h.stored != nil {
		told.ID = h.stored.ID()
	}
	told.Windows = h.drivers()
	told.State = h.live.state(told.Windows)
	return told
}

// drivers counts the windows whose users may continue the conversation.
func (h *Hall) drivers() (count int) {
	for _, window := range h.windows {
		if window.Role == messages.RoleDrive && !window.Silent {
			count++
		}
	}
	return count
}

// WindowOptions is what a window wants to be.
type WindowOptions struct {
	Name   string // by which others know who answered
	Role   messages.WindowRole
	Silent bool // no user looks at it
	First  bool // its requests keep their ids
}

// Open adds a window. Unless it is the first one its first events are the conversation so far.
// It returns nil if the conversation is over or has too many windows.
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
	h.changed(before)
	return window
}

// longestName bounds the name of a window, in bytes.
const longestName = 80

// clipped is the name of a window in one line.
func clipped(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if len(name) > longestName {
		name = strings.ToValidUTF8(name[:longestName], "") + "…"
	}
	return name
}

// leave takes a window out.
func (h *Hall) leave(window *Window) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := slices.Index(h.windows, window)
	if at < 0 {
		return
	}
	before := h.live.state(h.drivers())
	h.windows = slices.Delete(h.windows, at, at+1)
	h.changed(before)
	window.feed.Push(messages.Envelope{At: h.now(), Event: messages.Closed{}})
	window.feed.Close()
}

// prefixOf is what the requests of a window begin with on their way to the session.
func prefixOf(number int) string { return "w" + strconv.Itoa(number) + ":" }

// isOf says whether a request is that of a window, and gives its id there.
func isOf(prefix, request string) (id string, is bool) { return strings.CutPrefix(request, prefix) }
