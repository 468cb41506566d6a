package tui

import (
	"fmt"
	"strings"

	"marvin/ui/view"
)

// overlay is a page of help in the place of the transcript.
type overlay struct{ top, rows int }

// overlayKey takes a key while help is shown: it scrolls, and every other key closes it
// and does nothing else.
func (s *Screen) overlayKey(name string) bool {
	switch name {
	case "Up", "Shift-Up":
		s.overlay.top--
	case "Down", "Shift-Down":
		s.overlay.top++
	case "PgUp":
		s.overlay.top -= max(s.frame.page-1, 1)
	case "PgDn":
		s.overlay.top += max(s.frame.page-1, 1)
	case "Ctrl-C", "Ctrl-Q", "Ctrl-Z", "Ctrl-L":
		s.overlay = nil
		return false
	default:
		s.overlay = nil
		return true
	}
	s.overlay.top = max(min(s.overlay.top, s.overlay.rows-s.frame.page), 0)
	return true
}

// position says how much of it is on the screen, and how to see the rest.
func (o *overlay) position(page int) string {
	if o.rows <= page {
		return "any key closes this"
	}
	return fmt.Sprintf("lines %d to %d of %d · ↑ ↓ PgUp PgDn go on · any other key closes this", o.top+1, min(o.top+page, o.rows), o.rows)
}

// drawOverlay shows the keys.
func (s *Screen) drawOverlay() {
	var rows []view.Line
	for line := range strings.SplitSeq("Keys · /help lists the commands · any other key closes this\n\n"+s.keys.Listing(), "\n") {
		rows = append(rows, view.Hang(view.Span{Role: view.Plain, Text: line}, s.frame.width-1)...)
	}
	s.overlay.rows = len(rows)
	s.overlay.top = max(min(s.overlay.top, len(rows)-s.frame.page), 0)
	for i := range min(s.frame.page, len(rows)-s.overlay.top) {
		s.frame.put(1+i, rows[s.overlay.top+i])
	}
}
