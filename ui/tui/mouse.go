package tui

import (
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/keymap"
	"marvin/ui/view"
)

// wheelRows is what one notch of the wheel moves.
const wheelRows = 3

// mouse is what the wheel and a click do.
type mouse struct {
	window  *view.Window
	look    *looking
	ask     *questions
	picker  *pickers
	help    *help
	frame   *frame
	keys    *keymap.Map
	say     func(text string, during time.Duration)
	scrolls bool // the wheel is ours; else the terminal selects text with the mouse
}

// pointed takes what the mouse does: the wheel scrolls, a click goes to a block.
func (m *mouse) pointed(event *tcell.EventMouse) {
	rows := 0
	switch buttons := event.Buttons(); {
	case buttons&tcell.WheelUp != 0:
		rows = -wheelRows
	case buttons&tcell.WheelDown != 0:
		rows = wheelRows
	case buttons&tcell.Button1 != 0:
		m.clicked(event.Position())
		return
	default:
		return
	}
	if m.ask.id != "" {
		m.ask.scroll(rows)
	} else if m.picker.open != nil {
		m.picker.move(rows)
	} else {
		m.window.Scroll(rows)
	}
	m.frame.dirty, m.frame.soon = true, true
}

// clicked folds or unfolds the block under the mouse.
func (m *mouse) clicked(_, y int) {
	block := m.window.At(y - 1)
	if block == nil || y > m.frame.page || m.help.open != nil || m.picker.open != nil {
		return
	}
	if m.window.Following() { // what was clicked must not move away
		m.window.Hold()
	}
	m.window.Toggle(block)
	if m.look.on {
		m.window.Focus(block)
	}
	m.frame.dirty, m.frame.soon = true, true
}

// toggle gives the mouse to the terminal, or takes it back.
func (m *mouse) toggle() {
	if m.scrolls = !m.scrolls; m.scrolls {
		m.frame.screen.EnableMouse(tcell.MouseButtonEvents)
		m.say("The wheel scrolls again", 3*time.Second)
		return
	}
	m.frame.screen.DisableMouse()
	m.say("The mouse selects text now; "+m.keys.First("mouse")+" gives the wheel back", 5*time.Second)
}
