package tui

import (
	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/changes"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// review is the page with the conversation's changes, over the transcript.
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

// handleEvent handles events while the page is open, such as new changes and the reasons why a part could
// not be undone.
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

// key handles a key while the page is open. It returns false for keys that end the program or
// manage the terminal.
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

func (r *review) draw() {
	for i, row := range r.open.Rows(r.frame.Width-1, r.frame.Page) {
		r.frame.Put(1+i, row)
	}
}

// drawRemark draws the line for the remark instead of the input and returns its height in rows.
func (r *review) drawRemark(bottom int) int {
	label := r.open.Label()
	rows, row, column := r.open.Remark.Rows(max(r.frame.Width-view.Width(label), 2))
	r.frame.Put(bottom-1, view.Line{{Role: view.System, Text: label}, {Role: view.Plain, Text: rows[row].Text}})
	r.frame.Screen.ShowCursor(min(view.Width(label)+column, r.frame.Width-1), bottom-1)
	return 1
}
