package tui

import (
	"slices"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// bar is the role of the status bar.
const bar = view.Roles

// style is how a role looks: in the terminal's own sixteen colours on its own
// background, so that whatever the person chose for them stays readable. On a light
// background yellow is not; without colour the attributes tell.
func (s *Screen) style(role view.Role) tcell.Style {
	style := look(role)
	foreground, _, _ := style.Decompose()
	switch {
	case s.NoColor || s.Theme == "mono":
		return style.Foreground(tcell.ColorDefault)
	case s.Theme == "light" && foreground == tcell.ColorOlive:
		return style.Foreground(tcell.ColorNavy)
	}
	return style
}

func look(role view.Role) tcell.Style {
	plain := tcell.StyleDefault
	switch role {
	case bar:
		return plain.Reverse(true)
	case view.User, view.Code, view.Hunk, view.Name:
		return plain.Foreground(tcell.ColorTeal) // ANSI cyan
	case view.Assistant, view.Added, view.Quoted:
		return plain.Foreground(tcell.ColorGreen)
	case view.System, view.Number:
		return plain.Foreground(tcell.ColorOlive) // ANSI yellow
	case view.Tool, view.Keyword:
		return plain.Foreground(tcell.ColorPurple) // ANSI magenta
	case view.Problem, view.Removed:
		return plain.Foreground(tcell.ColorMaroon) // ANSI red
	case view.Faint, view.Comment:
		return plain.Dim(true)
	case view.Strong:
		return plain.Bold(true)
	case view.Heading:
		return plain.Bold(true).Underline(true)
	case view.Emphasis:
		return plain.Italic(true)
	case view.Struck:
		return plain.StrikeThrough(true)
	case view.Link:
		return plain.Underline(true)
	case view.Found:
		return plain.Reverse(true)
	}
	return plain
}

// put sets a row of the frame.
func (s *Screen) put(y int, line view.Line) {
	if y >= 0 && y < len(s.frame.rows) {
		s.frame.rows[y] = line
	}
}

// flush sends the frame to the screen. Rows that are as before are not touched; in the
// others every cell is set, and set once: tcell takes a cell that was cleared and drawn
// again for a changed one, and would send it.
func (s *Screen) flush() {
	if len(s.frame.last) != len(s.frame.rows) {
		s.frame.last = nil
	}
	for y, line := range s.frame.rows {
		if s.frame.last != nil && slices.Equal(line, s.frame.last[y]) {
			continue
		}
		rest, x, end := tcell.StyleDefault, 0, s.frame.width
		if y >= 1 && y <= s.frame.bar.page {
			end-- // the scroll bar's
		}
		for _, span := range line {
			style := s.style(span.Role)
			if span.Role == bar {
				rest = style
			}
			x = s.putText(x, y, span.Text, style)
		}
		for ; x < end; x++ {
			s.screen.Put(x, y, " ", rest)
		}
	}
	s.frame.last = s.frame.rows
	s.flushBar()
	s.screen.Show()
}

// flushBar draws the scroll bar over the last column of the transcript, which is left
// free for it.
func (s *Screen) flushBar() {
	for y := 1; y <= s.frame.bar.page; y++ {
		text, style := " ", tcell.StyleDefault
		if y >= s.frame.bar.top && y < s.frame.bar.top+s.frame.bar.size {
			text, style = "▐", s.style(view.Faint)
		}
		s.screen.Put(s.frame.width-1, y, text, style)
	}
}

// putText draws text and says in which cell it ends. It is the last gate to the
// terminal, which obeys what it is sent: tcell passes control characters on.
func (s *Screen) putText(x, y int, text string, style tcell.Style) int {
	text, state := termsafe.String(text), -1
	for text != "" && x < s.frame.width {
		var cluster string
		var cells int
		cluster, text, cells, state = uniseg.FirstGraphemeClusterInString(text, state)
		if cluster == "\t" || cluster == "\n" {
			cluster, cells = " ", 1
		}
		if cells == 0 || x+cells > s.frame.width {
			continue
		}
		s.screen.Put(x, y, cluster, style)
		x += cells
	}
	return x
}
