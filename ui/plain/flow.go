package plain

import (
	"strings"

	"github.com/rivo/uniseg"
)

// flow breaks what is printed between words, as it arrives: a terminal would cut them at
// its edge. A word waits for its end. Code, tables and what is indented stay as they are,
// and so does a word that is wider than the terminal.
type flow struct {
	width  int // of the terminal; 0 breaks nothing
	column int
	spaces int
	word   strings.Builder
	begun  strings.Builder // the beginning of the line, as far as it tells what the line is
	fenced bool            // between two fences
}

// feed takes the next piece and returns what can be written of it.
func (f *flow) feed(text string) string {
	if f.width <= 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if f.begun.Len() < 4 {
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

// rest is the word whose end did not come.
func (f *flow) rest() string {
	var out strings.Builder
	f.place(&out)
	out.WriteString(strings.Repeat(" ", f.spaces))
	f.column += f.spaces
	f.spaces = 0
	return out.String()
}

// place writes the word after its spaces, or on a new line.
func (f *flow) place(out *strings.Builder) {
	if f.word.Len() == 0 {
		return
	}
	word := f.word.String()
	f.word.Reset()
	wide := uniseg.StringWidth(word)
	if f.column > 0 && f.column+f.spaces+wide >= f.width && !f.kept() {
		out.WriteByte('\n')
		f.column, f.spaces = 0, 0
	}
	out.WriteString(strings.Repeat(" ", f.spaces) + word)
	f.column += f.spaces + wide
	f.spaces = 0
}

// kept reports whether the line is one whose breaks mean something.
func (f *flow) kept() bool {
	begun := f.begun.String()
	return f.fenced || strings.HasPrefix(begun, "    ") || strings.HasPrefix(begun, "|") || strings.HasPrefix(begun, "  +") || strings.HasPrefix(begun, "  -")
}
