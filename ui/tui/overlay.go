package tui

import (
	"fmt"
	"strings"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/keymap"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// overlay is a page over the transcript: the list of keys, or a sub-agent's conversation.
type overlay struct {
	top, rows int
	agent     *messages.AgentShown // nil for the list of keys
	reading   bool                 // opened in reading mode
	laid      struct {
		text  string
		width int
		rows  []view.Line
	}
}

// help contains the open [overlay], if any.
type help struct {
	frame *canvas.Canvas
	keys  *keymap.Map
	open  *overlay // nil if closed
	send  func(messages.Op)
	along bool // true if [help.draw] must request the next text
}

// key interprets a key press while the page is open. It returns false if the key closes the page
// but must still have its usual effect.
func (h *help) key(name string, event *tcell.EventKey) bool {
	switch name {
	case "":
		if h.open.agent != nil && event.Rune() == 's' {
			h.send(messages.VisitAgent{Call: h.open.agent.Call, Agent: h.open.agent.Agent, Stop: true})
			return true
		}
		h.open = nil
		return true
	case "Up", "Shift-Up":
		h.open.top--
	case "Down", "Shift-Down":
		h.open.top++
	case "PgUp":
		h.open.top -= max(h.frame.Page-1, 1)
	case "PgDn":
		h.open.top += max(h.frame.Page-1, 1)
	case "Ctrl-C", "Ctrl-Q", "Ctrl-Z", "Ctrl-L":
		h.open = nil
		return false
	default:
		h.open = nil
		return true
	}
	h.open.top = max(min(h.open.top, h.open.rows-h.frame.Page), 0)
	return true
}

// showAgent shows a sub-agent's conversation, or updates the page that already shows it.
func (h *help) showAgent(event messages.AgentShown) {
	open := h.open != nil && h.open.agent != nil && h.open.agent.Call == event.Call && h.open.agent.Agent == event.Agent
	switch {
	case !open && event.More: // the page has been closed
		return
	case !open:
		h.open = &overlay{agent: &event, top: endOfPage}
	default:
		if h.open.agent = &event; h.open.top >= h.open.rows-h.frame.Page {
			h.open.top = endOfPage
		}
	}
	h.along = h.open.showsRunning()
}

// endOfPage is a row beyond the end of any page. [help.draw] replaces this value with the last
// possible row.
const endOfPage = 1 << 20

// updateAgent stores a sub-agent's new state if the page shows that sub-agent.
func (h *help) updateAgent(event messages.AgentChanged) {
	if open := h.open; open != nil && open.agent != nil && open.agent.Call == event.Call && open.agent.Agent == event.Agent {
		open.agent.State = event.State
	}
}

// showsRunning reports whether the page shows a running sub-agent.
func (o *overlay) showsRunning() bool {
	return o.agent != nil && (o.agent.State == messages.AgentWorking || o.agent.State == messages.AgentAsking)
}

// position describes which part of the page is visible and how to see the rest.
func (o *overlay) position(page int) string {
	stops := ""
	if o.showsRunning() {
		stops = "s stops it · "
	}
	if o.rows <= page {
		return stops + "any key closes this"
	}
	return fmt.Sprintf("lines %d to %d of %d · %s↑ ↓ PgUp PgDn scroll · any other key closes this", o.top+1, min(o.top+page, o.rows), o.rows, stops)
}

// draw puts the page on the screen. It also requests the sub-agent's next text. No other method
// sends this request, so there is at most one request per frame.
func (h *help) draw() {
	if h.along {
		h.along = false
		h.send(messages.VisitAgent{Call: h.open.agent.Call, Agent: h.open.agent.Agent, More: true})
	}
	rows := h.open.lines(h.keys, h.frame.Width-1)
	h.open.rows = len(rows)
	h.open.top = max(min(h.open.top, len(rows)-h.frame.Page), 0)
	rest := rows[min(h.open.top, len(rows)):] // the page has no rows on a tiny terminal
	h.frame.Put(1, rest[:max(min(h.frame.Page, len(rest)), 0)]...)
}

// lines returns all rows of the page.
func (o *overlay) lines(keys *keymap.Map, width int) (rows []view.Line) {
	if o.agent == nil {
		for line := range strings.SplitSeq("Keys · /help lists the commands · any other key closes this\n\n"+o.listing(keys), "\n") {
			rows = append(rows, view.WrapAligned(view.Span{Role: view.Plain, Text: line}, width)...)
		}
		return rows
	}
	title := fmt.Sprintf("Sub-agent %d, %s · %s", o.agent.Agent, termsafe.Line(o.agent.Name), o.agent.State)
	rows = append(view.Wrap(view.Line{{Role: view.Heading, Text: title}}, width), nil)
	if o.laid.text != o.agent.Text || o.laid.width != width {
		o.laid.text, o.laid.width = o.agent.Text, width
		o.laid.rows = agentRows(termsafe.String(o.agent.Text), width)
	}
	return append(rows, o.laid.rows...)
}

// listing returns the list of keys, beginning with the keys of the current mode.
func (o *overlay) listing(keys *keymap.Map) string {
	const heading = "While reading"
	typing, reading, found := strings.Cut(keys.Listing(), "\n"+heading)
	if !o.reading || !found {
		return keys.Listing()
	}
	return heading + reading + "\n\n" + typing
}

// signs contains the role of each symbol that can begin a paragraph. Paragraphs without a symbol
// are text from the sub-agent.
var signs = map[string]view.Role{"→": view.Faint, "✓": view.Added, "✗": view.Problem, "»": view.Assistant, "•": view.System}

// agentRows formats a sub-agent's task, text and calls.
func agentRows(text string, width int) []view.Line {
	task, text, _ := strings.Cut(text, "\n\n")
	var rows, called []view.Line
	for i, line := range strings.Split(task, "\n") {
		mark := "  "
		if i == 0 {
			mark = "› "
		}
		line = strings.TrimPrefix(line, "> ")
		rows = append(rows, marked(view.Span{Role: view.Assistant, Text: mark}, view.Span{Role: view.User, Text: line}, width)...)
	}
	words := ""
	said := func() {
		if words != "" {
			rows, words = append(append(rows, nil), view.Markdown(words, width)...), ""
		}
	}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		mark, rest, _ := strings.Cut(paragraph, " ")
		role, sign := signs[mark]
		if sign {
			said()
			called = append(called, marked(view.Span{Role: role, Text: mark + " "}, view.Span{Role: view.Faint, Text: rest}, width)...)
			continue
		}
		if called != nil {
			rows, called = append(append(rows, nil), called...), nil
		}
		words += paragraph + "\n\n"
	}
	said()
	if called != nil {
		rows = append(append(rows, nil), called...)
	}
	return rows
}

// marked divides the text into rows. It puts a mark before the first row and indents the others.
func marked(mark, text view.Span, width int) (rows []view.Line) {
	for _, row := range view.Break(view.Line{text}, max(width-2, 1)) {
		rows = append(rows, append(view.Line{mark}, row...))
		mark.Text = "  "
	}
	return rows
}
