package tui

import (
	"fmt"
	"strings"

	"marvin/ui/keymap"
	"marvin/ui/view"
)

// overlay is a page of help in the place of the transcript.
type overlay struct{ top, rows int }

// help is what the keys are, over the transcript while it is open.
type help struct {
	frame *frame
	keys  *keymap.Map
	open  *overlay // nil for not
}

// key takes a key while help is shown: it scrolls, and every other key closes it
// and does nothing else.
func (h *help) key(name string) bool {
	switch name {
	case "Up", "Shift-Up":
		h.open.top--
	case "Down", "Shift-Down":
		h.open.top++
	case "PgUp":
		h.open.top -= max(h.frame.page-1, 1)
	case "PgDn":
		h.open.top += max(h.frame.page-1, 1)
	case "Ctrl-C", "Ctrl-Q", "Ctrl-Z", "Ctrl-L":
		h.open = nil
		return false
	default:
		h.open = nil
		return true
	}
	h.open.top = max(min(h.open.top, h.open.rows-h.frame.page), 0)
	return true
}

// position says how much of it is on the screen, and how to see the rest.
func (o *overlay) position(page int) string {
	if o.rows <= page {
		return "any key closes this"
	}
	return fmt.Sprintf("lines %d to %d of %d · ↑ ↓ PgUp PgDn go on · any other key closes this", o.top+1, min(o.top+page, o.rows), o.rows)
}

// draw shows the keys.
func (h *help) draw() {
	var rows []view.Line
	for line := range strings.SplitSeq("Keys · /help lists the commands · any other key closes this\n\n"+h.keys.Listing(), "\n") {
		rows = append(rows, view.Hang(view.Span{Role: view.Plain, Text: line}, h.frame.width-1)...)
	}
	h.open.rows = len(rows)
	h.open.top = max(min(h.open.top, len(rows)-h.frame.page), 0)
	for i := range min(h.frame.page, len(rows)-h.open.top) {
		h.frame.put(1+i, rows[h.open.top+i])
	}
}
