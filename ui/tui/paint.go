package tui

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// styles are the terminal's own sixteen colours on its own background: whatever the
// person chose for them stays readable.
var styles = [...]tcell.Style{
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

// put draws a line. It is the last gate to the terminal, which obeys what it is sent:
// tcell passes control characters on as they are.
func (s *Screen) put(x, y int, line view.Line) {
	for _, span := range line {
		x = s.putText(x, y, span.Text, s.style(span.Role))
	}
}

func (s *Screen) putBar(x int, text string) {
	s.putText(x, 0, text, tcell.StyleDefault.Reverse(true))
}

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
