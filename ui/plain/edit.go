package plain

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"marvin/ui/lineedit"
	"marvin/ui/termsafe"
)

// line is the editable input line. The terminal must support cursor movement.
type line struct {
	lineedit.Editor
	history lineedit.History
	keys    keys
	search  *search

	wrong []string // problems in the user's key bindings

	drawn bool // the line is on the screen
	row   int  // row of the cursor, counted from 0 at the line's first row
}

// search is a search in the history.
type search struct {
	text, found string
	skip        int
}

// act performs an action of the line editor, such as "search".
func (l *line) act(action string) {
	switch action {
	case "leave-or-delete":
		l.Delete()
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
		if do := lineedit.Actions()[action]; do != nil {
			do(&l.Editor)
		}
	}
}

// look applies a key to the history search. It returns false if the key ends the search and the
// caller must handle the key.
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

// draw returns the text and the escape sequences that draw a label and the line. The cursor must be
// at the start of a row. Further rows are aligned with the text of the first.
func (l *line) draw(label string, width int) string {
	if l.search != nil {
		var shown lineedit.Editor
		shown.SetText(l.search.found)
		return l.layOut(fmt.Sprintf("(search %s) ", termsafe.String(l.search.text)), &shown, width)
	}
	return l.layOut(label, &l.Editor, width)
}

func (l *line) layOut(label string, text *lineedit.Editor, width int) string {
	indent := uniseg.StringWidth(label)
	if indent > width/2 {
		label, indent = "", 0
	}
	rows, row, column := text.Rows(width - indent - 1) // a full row would wrap by itself
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

// erase returns the escape sequences that remove the line from the screen and leave the cursor
// where the line began.
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

// moveBelow returns the text and the escape sequences that draw the line again and then move the
// cursor below it.
func (l *line) moveBelow(label string, width int) string {
	l.End()
	out := l.erase() + l.draw(label, width) + "\r\n"
	l.drawn = false
	return out
}

// widthOf returns the terminal's width in columns, or 80 if the width is unknown.
func widthOf(fd int) int {
	if width, _, err := term.GetSize(fd); err == nil && width > 0 {
		return width
	}
	return 80
}

// remember replaces the history with inputs, which must be ordered oldest first.
func (l *line) remember(inputs []string) {
	l.history = lineedit.History{}
	for _, input := range inputs {
		l.history.Add(input)
	}
}
