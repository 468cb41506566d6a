package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/keymap"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/tui/internal/question"
	"marvin/ui/view"
)

// wheelRows is the number of rows that one notch of the wheel scrolls.
const wheelRows = 3

// mouseEvents selects the reported events: buttons, and movement while a button is held.
const mouseEvents = tcell.MouseButtonEvents | tcell.MouseDragEvents

// mouse is the handler for the wheel, for clicks and for the selection of text.
type mouse struct {
	window    *view.Window
	look      *searchState
	ask       *question.Panel
	picker    *pickers
	help      *help
	review    *review
	clipboard *clipboard
	frame     *canvas.Canvas
	keys      *keymap.Map
	say       func(text string, during time.Duration)
	scrolls   bool // true if Marvin, not the terminal, handles the mouse
	grip      grip
	selection view.Selection
}

// grip is the state of a mouse button that is held down in the transcript.
type grip struct {
	held  bool
	drawn bool // the user is selecting text with the mouse
	x, y  int  // current position of the mouse
	from  view.Spot
	when  time.Time // time of the press
	twice bool      // second click in the same cell
}

// doubleClick is the maximum time between the clicks of a double click.
const doubleClick = 500 * time.Millisecond

// handleMouse handles the wheel and the left button. It ignores clicks while Shift is pressed,
// because the terminal handles those clicks.
func (m *mouse) handleMouse(event *tcell.EventMouse) {
	x, y := event.Position()
	switch buttons := event.Buttons(); {
	case buttons&tcell.WheelUp != 0:
		m.wheel(-wheelRows)
	case buttons&tcell.WheelDown != 0:
		m.wheel(wheelRows)
	case buttons&tcell.Button1 != 0 && m.grip.held:
		m.extendSelection(x, y)
	case buttons&tcell.Button1 != 0 && event.Modifiers()&tcell.ModShift == 0:
		m.handlePress(x, y, event.When())
	case buttons == tcell.ButtonNone && m.grip.held:
		m.handleRelease()
	}
}

func (m *mouse) wheel(rows int) {
	if m.ask.ID != "" {
		m.ask.Scroll(rows)
	} else if m.review.open != nil {
		m.review.open.Scroll(rows)
	} else if m.picker.open != nil {
		m.picker.move(rows)
	} else {
		m.window.Scroll(rows)
	}
	m.frame.Dirty, m.frame.Soon = true, true
}

// coversTranscript reports whether a list or page covers the transcript.
func (m *mouse) coversTranscript() bool {
	return m.help.open != nil || m.picker.open != nil || m.review.open != nil
}

func (m *mouse) handlePress(x, y int, when time.Time) {
	if m.selection.Unselect() {
		m.frame.Dirty, m.frame.Soon = true, true
	}
	if y < 1 || y > m.frame.Page || m.coversTranscript() {
		return
	}
	was := m.grip
	twice := was.x == x && was.y == y && !was.twice && when.Sub(was.when) < doubleClick
	m.grip = grip{held: true, x: x, y: y, from: m.selection.SpotAt(y-1, x), when: when, twice: twice}
}

// extendSelection extends the selection to the pointer. If the pointer is above or below the
// transcript, extendSelection scrolls one row.
func (m *mouse) extendSelection(x, y int) {
	if x == m.grip.x && y == m.grip.y {
		return
	}
	m.grip.x, m.grip.y = x, y
	if !m.grip.drawn {
		m.grip.drawn = true
		m.selection.Grab()
	}
	m.selection.Select(m.grip.from, m.selection.SpotAt(y-1, x))
	if y < 1 {
		m.window.Scroll(-1)
	} else if y > m.frame.Page {
		m.window.Scroll(1)
	}
	m.frame.Dirty, m.frame.Soon = true, true
}

// handleRelease copies the selection. If there is none, it handles a click.
func (m *mouse) handleRelease() {
	grip := m.grip
	m.grip.held, m.grip.drawn = false, false
	switch {
	case grip.drawn:
	case grip.twice && m.notFoldable(grip.y) && m.selection.Word(grip.from):
	default:
		m.toggleBlock(grip.y)
		return
	}
	if words, lines := m.selection.Words(); words != "" {
		m.clipboard.copyText("Copied "+messages.Counted(lines, "line"), words)
	} else {
		m.selection.Unselect()
	}
	m.selection.LetGo()
	m.frame.Dirty, m.frame.Soon = true, true
}

// notFoldable reports whether row y belongs to a block that is always shown in full. A double click
// in such a block selects a word.
func (m *mouse) notFoldable(y int) bool {
	block := m.window.At(y - 1)
	return block != nil && !block.Foldable()
}

// toggleBlock folds or unfolds the block at row y. If the row shows a sub-agent, toggleBlock opens
// that sub-agent's conversation instead.
func (m *mouse) toggleBlock(y int) {
	block := m.window.At(y - 1)
	if block == nil || y > m.frame.Page || m.coversTranscript() {
		return
	}
	if one, ok := view.AgentAt(m.window, y-1); ok {
		m.help.send(messages.VisitAgent{Call: one.Call, Agent: one.Agent})
		return
	}
	m.window.Toggle(block)
	if m.look.on {
		m.window.Focus(block)
	}
	m.frame.Dirty, m.frame.Soon = true, true
}

// toggle switches mouse handling between Marvin and the terminal.
func (m *mouse) toggle() {
	m.grip = grip{}
	if m.scrolls = !m.scrolls; m.scrolls {
		m.frame.Screen.EnableMouse(mouseEvents)
		m.say("Marvin handles the mouse again: the wheel scrolls, and dragging copies text", 3*time.Second)
		return
	}
	m.frame.Screen.DisableMouse()
	m.say("The terminal handles the mouse now; "+m.keys.First("mouse")+" gives the wheel back", 5*time.Second)
}
