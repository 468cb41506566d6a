package plain

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"marvin/ui/lineedit"
	"marvin/ui/termsafe"
)

// line is the line that is being typed on a terminal that can move its cursor.
type line struct {
	lineedit.Editor
	history lineedit.History
	keys    keys
	search  *search

	wrong []string // of the keys that the person gave actions

	drawn bool // it is on the screen
	row   int  // of the cursor, below the line's first row
}

// search is a look back in the history.
type search struct {
	text, found string
	skip        int
}

// act does what a key means for the line. A switch, as a table would be built at every
// start.
func (l *line) act(action string) {
	switch action {
	case "left":
		l.Left()
	case "right":
		l.Right()
	case "line-start":
		l.LineStart()
	case "line-end":
		l.LineEnd()
	case "word-left":
		l.WordLeft()
	case "word-right":
		l.WordRight()
	case "backspace":
		l.Backspace()
	case "delete", "leave-or-delete":
		l.Delete()
	case "newline":
		l.Insert("\n")
	case "up":
		if text, ok := l.history.Older(l.Text()); ok {
			l.SetText(text)
		}
	case "down":
		if text, ok := l.history.Newer(); ok {
			l.SetText(text)
		}
	case "search":
		l.search = &search{}
	default:
		l.cut(action)
	}
}

// cut does what takes text away and brings it back.
func (l *line) cut(action string) {
	switch action {
	case "kill-to-end":
		l.KillToEnd()
	case "kill-to-start":
		l.KillToStart()
	case "kill-word-left":
		l.KillWordLeft()
	case "kill-word-right":
		l.KillWordRight()
	case "yank":
		l.Yank()
	case "yank-older":
		l.YankOlder()
	case "undo":
		l.Undo()
	case "redo":
		l.Redo()
	}
}

// look takes a key while searching. It reports false for one that ends the search and
// is then meant for the line.
func (l *line) look(pressed key) bool {
	look := l.search
	switch {
	case pressed.name == "" && !pressed.paste:
		look.text, look.skip = look.text+pressed.text, 0
	case pressed.name == "backspace":
		var rest lineedit.Editor
		rest.SetText(look.text)
		rest.Backspace()
		look.text, look.skip = rest.Text(), 0
	case pressed.name == "ctrl-r":
		look.skip++
	default:
		l.search = nil
		cancelled := pressed.name == "ctrl-g" || pressed.name == "ctrl-c"
		if look.found != "" && !cancelled {
			l.SetText(look.found)
		}
		return cancelled
	}
	found, ok := l.history.Search(look.text, look.skip)
	switch {
	case ok:
		look.found = found
	case look.skip > 0:
		look.skip--
	default:
		look.found = ""
	}
	return true
}

// draw draws the line after a label, from the beginning of a row. Further rows are below the first
// one's text.
func (l *line) draw(label string, width int) string {
	if l.search != nil {
		var shown lineedit.Editor
		shown.SetText(l.search.found)
		return l.lay(fmt.Sprintf("(search %s) ", termsafe.String(l.search.text)), &shown, width)
	}
	return l.lay(label, &l.Editor, width)
}

func (l *line) lay(label string, text *lineedit.Editor, width int) string {
	indent := uniseg.StringWidth(label)
	if indent > width/2 {
		label, indent = "", 0
	}
	rows, row, column := text.Rows(width - indent - 1) // the last column would wrap by itself
	var out strings.Builder
	for i, each := range rows {
		if i > 0 {
			out.WriteString("\r\n" + strings.Repeat(" ", indent))
		} else {
			out.WriteString(label)
		}
		out.WriteString(each.Text)
	}
	if up := len(rows) - 1 - row; up > 0 {
		fmt.Fprintf(&out, "\x1b[%dA", up)
	}
	out.WriteByte('\r')
	if right := indent + column; right > 0 {
		fmt.Fprintf(&out, "\x1b[%dC", right)
	}
	l.drawn, l.row = true, row
	return out.String()
}

// erase is what takes the line off the screen and leaves the cursor where it began.
func (l *line) erase() string {
	if !l.drawn {
		return ""
	}
	up := ""
	if l.row > 0 {
		up = fmt.Sprintf("\x1b[%dA", l.row)
	}
	l.drawn = false
	return up + "\r\x1b[J"
}

// below is what moves behind the line, which stays on the screen.
func (l *line) below(label string, width int) string {
	l.End()
	out := l.erase() + l.draw(label, width) + "\r\n"
	l.drawn = false
	return out
}

// width is how wide a terminal is; one that does not say has 80 columns.
func widthOf(fd int) int {
	if width, _, err := term.GetSize(fd); err == nil && width > 0 {
		return width
	}
	return 80
}

// remember sets the history.
func (l *line) remember(inputs []string) {
	l.history = lineedit.History{}
	for _, input := range inputs {
		l.history.Add(input)
	}
}
