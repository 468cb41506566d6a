package tui

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// bar is the role of the status bar.
const bar = view.Hunk + 1

// styles are the terminal's own sixteen colours on its own background: whatever the
// person chose for them stays readable.
var styles = [...]tcell.Style{
	bar: tcell.StyleDefault.Reverse(true),

	view.Plain:     tcell.StyleDefault,
	view.User:      tcell.StyleDefault.Foreground(tcell.ColorTeal), // ANSI cyan
	view.Assistant: tcell.StyleDefault.Foreground(tcell.ColorGreen),
	view.System:    tcell.StyleDefault.Foreground(tcell.ColorOlive),  // ANSI yellow
	view.Tool:      tcell.StyleDefault.Foreground(tcell.ColorPurple), // ANSI magenta
	view.Problem:   tcell.StyleDefault.Foreground(tcell.ColorMaroon), // ANSI red
	view.Faint:     tcell.StyleDefault.Dim(true),
	view.Strong:    tcell.StyleDefault.Bold(true),
	view.Heading:   tcell.StyleDefault.Bold(true).Underline(true),
	view.Code:      tcell.StyleDefault.Foreground(tcell.ColorTeal),
	view.Added:     tcell.StyleDefault.Foreground(tcell.ColorGreen),
	view.Removed:   tcell.StyleDefault.Foreground(tcell.ColorMaroon),
	view.Hunk:      tcell.StyleDefault.Foreground(tcell.ColorTeal),
}

func (s *Screen) style(role view.Role) tcell.Style {
	style := styles[role]
	if s.NoColor {
		style = style.Foreground(tcell.ColorDefault)
	}
	return style
}

// put sets a row of the frame.
func (s *Screen) put(y int, line view.Line) {
	if y >= 0 && y < len(s.rows) {
		s.rows[y] = line
	}
}

// flush sends the frame to the screen. Every cell is set, and set once: tcell takes a
// cell that was cleared and drawn again for a changed one, and would send it.
func (s *Screen) flush() {
	for y, line := range s.rows {
		rest, x := tcell.StyleDefault, 0
		for _, span := range line {
			style := s.style(span.Role)
			if span.Role == bar {
				rest = style
			}
			x = s.putText(x, y, span.Text, style)
		}
		for ; x < s.width; x++ {
			s.screen.Put(x, y, " ", rest)
		}
	}
	s.screen.Show()
}

// putText draws text and says in which cell it ends. It is the last gate to the
// terminal, which obeys what it is sent: tcell passes control characters on.
func (s *Screen) putText(x, y int, text string, style tcell.Style) int {
	text, state := termsafe.String(text), -1
	for text != "" && x < s.width {
		var cluster string
		var cells int
		cluster, text, cells, state = uniseg.FirstGraphemeClusterInString(text, state)
		if cluster == "\t" || cluster == "\n" {
			cluster, cells = " ", 1
		}
		if cells == 0 || x+cells > s.width {
			continue
		}
		s.screen.Put(x, y, cluster, style)
		x += cells
	}
	return x
}
