package plain

import (
	"regexp"
	"strings"
	"sync"

	"github.com/rivo/uniseg"
)

// flow is a filter that wraps streamed output between words, because a terminal would break a line
// within a word. It holds a word back until the word ends. It does not change code, tables,
// indented text, or words that are wider than the terminal.
type flow struct {
	width  int // width of the terminal; if 0, lines are not wrapped
	column int
	spaces int
	word   strings.Builder
	begun  strings.Builder // the first characters of the line
	fenced bool            // inside a fenced code block
}

// feed accepts the next piece of text and returns the completed words, wrapped.
func (f *flow) feed(text string) string {
	if f.width <= 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if f.begun.Len() < 8 {
			f.begun.WriteRune(r)
		}
		switch r {
		case '\n':
			f.place(&out)
			if strings.HasPrefix(f.begun.String(), "```") || strings.HasPrefix(f.begun.String(), "~~~") {
				f.fenced = !f.fenced
			}
			out.WriteByte('\n')
			f.column, f.spaces = 0, 0
			f.begun.Reset()
		case ' ':
			f.place(&out)
			f.spaces++
		default:
			f.word.WriteRune(r)
		}
	}
	return out.String()
}

// rest returns the word and the spaces that were held back.
func (f *flow) rest() string {
	var out strings.Builder
	f.place(&out)
	out.WriteString(strings.Repeat(" ", f.spaces))
	f.column += f.spaces
	f.spaces = 0
	return out.String()
}

// place writes the word that was held back. If necessary, it breaks the line first.
func (f *flow) place(out *strings.Builder) {
	if f.word.Len() == 0 {
		return
	}
	word := f.word.String()
	f.word.Reset()
	wide := uniseg.StringWidth(word)
	if f.column > 0 && f.column+f.spaces+wide >= f.width && !f.unwrapped() {
		out.WriteByte('\n')
		f.column, f.spaces = 0, 0
		if indent := f.indent(); indent+wide < f.width && indent < f.width/4 {
			f.spaces = indent
		}
	}
	out.WriteString(strings.Repeat(" ", f.spaces) + word)
	f.column += f.spaces + wide
	f.spaces = 0
}

// listMarker matches the beginning of a list item, up to its text.
var listMarker = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *(?:[-*+]|\d{1,3}[.)]) +`) })

// indent returns the column of a list item's text, or 0 for other lines.
func (f *flow) indent() int { return len(listMarker().FindString(f.begun.String())) }

// unwrapped reports whether the line is code, a table row, or text indented by four or more spaces.
func (f *flow) unwrapped() bool {
	begun := f.begun.String()
	return f.fenced || strings.HasPrefix(begun, "    ") || strings.HasPrefix(begun, "|")
}
