package tui

import (
	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/changes"
	"marvin/ui/tui/internal/canvas"
)

// review contains the [changes.Page] that is open over the transcript, if any.
type review struct {
	frame  *canvas.Canvas
	open   *changes.Page // nil for none
	send   func(messages.Op)
	submit func(messages.Prompt)
	say    func(text string)
}

// begin opens the page.
func (r *review) begin(all messages.Changes) {
	r.open = changes.New(all)
	r.frame.Dirty, r.frame.Soon = true, true
}

// handleEvent updates the open page and shows notices as hints.
func (r *review) handleEvent(event messages.Event) {
	if r.open == nil {
		return
	}
	switch event := event.(type) {
	case messages.Changes:
		if r.open.Update(event); r.open.Empty() {
			r.open = nil
		}
	case messages.Notice:
		r.say(canvas.OneRow(event.Text))
	default: // other events
	}
}

// key delivers a key event to the open page, and returns true if the page handled the event.
func (r *review) key(name string, event *tcell.EventKey) bool {
	deed := r.open.Key(name, event.Rune())
	if deed.Closes {
		r.open = nil
	}
	if deed.Op != nil {
		r.send(deed.Op)
	}
	if deed.Prompt != nil {
		r.submit(*deed.Prompt)
	}
	if deed.Says != "" {
		r.say(deed.Says)
	}
	return !deed.Passes
}
