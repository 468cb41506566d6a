package tui

import (
	"strings"
	"time"

	"marvin/ui/view"
)

// drawTranscript draws the visible rows of the conversation, and positions the scroll bar.
func (s *Screen) drawTranscript(now time.Time) {
	for i, line := range s.window.Show(s.view.Blocks, s.frame.Width-1, s.frame.Page, now) {
		if s.look.wanted != "" {
			line = view.Mark(line, s.look.wanted)
		}
		line = s.mouse.selection.Paint(i, line)
		if s.window.FocusedRow(i) {
			line = focused(line)
		}
		s.frame.Put(1+i, line)
	}
	placePictures(s, now)
	s.place.greet()
	if above, all := s.window.Extent(); all > s.frame.Page && s.frame.Page > 0 {
		s.frame.Bar.Size = max(s.frame.Page*s.frame.Page/all, 1)
		s.frame.Bar.Top = 1 + (s.frame.Page-s.frame.Bar.Size)*min(above, all-s.frame.Page)/(all-s.frame.Page)
	}
	s.frame.Scroll(1, 1+s.frame.Page)
}

// focused highlights the start of a focused row.
func focused(line view.Line) view.Line {
	mark := view.Span{Role: view.System, Text: "▌"}
	if len(line) == 0 {
		return view.Line{mark}
	}
	if rest, ok := strings.CutPrefix(line[0].Text, " "); ok {
		return append(view.Line{mark, {Role: line[0].Role, Text: rest}}, line[1:]...)
	}
	return append(view.Line{{Role: view.Found, Text: line[0].Text}}, line[1:]...)
}
