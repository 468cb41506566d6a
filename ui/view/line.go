package view

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Role says what a piece of text is; a front end decides how that looks.
type Role uint8

// The roles.
const (
	Plain Role = iota
	User
	Assistant
	System
	Tool
	Problem
	Faint
	Strong
	Heading
	Code
	Added
	Removed
	Hunk
	Emphasis
	Struck
	Link
	Keyword // in code, as the ones below
	Name
	Quoted
	Number
	Comment
	Found   // what a search found
	Snippet // code within a sentence

	// These have no colour of their own: what is behind them, and behind all that follows
	// in their row, is set off.
	Band        // a prompt
	NoGround    // and this ends it
	Ground      // code
	AddedGround // a line that came
	RemovedGround
	// AddedWord and RemovedWord are what changed within a line.
	AddedWord
	RemovedWord

	Roles // how many there are
)

// Span is text of one role, without line breaks and control characters.
type Span struct {
	Role    Role
	Part    Part
	Text    string
	Address string // where it leads, for terminals that follow links; "" for nowhere
}

// Part is a piece of text's role when copied.
type Part uint8

// The parts.
const (
	Words  Part = iota
	Goes        // continues the words of the row above
	Spaced      // soft wrap at a space that is not drawn
	Indent      // room in front of words, which counts where they begin a line
	Margin      // what stands around words: a mark, a frame, the number of a line
	Frame       // and makes up its whole row
	Bullet      // the mark of an item, or of a task
	Bar         // between two cells of a table
	Side        // between two columns, each read by itself
)

// Line is one row of the screen.
type Line []Span

// String is the line without its roles.
func (l Line) String() string {
	var text strings.Builder
	for _, span := range l {
		text.WriteString(span.Text)
	}
	return text.String()
}

// Width is how many cells the line takes.
func (l Line) Width() int { return Width(l.String()) }

// Width is how many cells a text takes: the one measure of the whole program.
func Width(text string) int {
	if printable(text) {
		return len(text)
	}
	return uniseg.StringWidth(text)
}

// printable reports whether each byte is a character of ASCII that takes a cell.
func printable(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// cutWord shortens text to a width as [Cut] does, and then before a word where one is cut
// apart, unless that takes a third of it.
func cutWord(text string, width int) string {
	shown := Cut(text, width)
	whole := strings.TrimSuffix(shown, "…")
	if shown == text || len(whole) >= len(text) || text[len(whole)] == ' ' {
		return shown
	}
	if at := strings.LastIndexByte(whole, ' '); at > 2*len(whole)/3 {
		return strings.TrimRight(whole[:at], " ·") + "…"
	}
	return shown
}

// Cut shortens text to a width, with an ellipsis. It measures only the beginning of a long text.
func Cut(text string, width int) string {
	if len(text) <= width && printable(text) {
		return text
	}
	kept, used, state := 0, 0, -1 // kept is what stays if an ellipsis follows
	for rest := text; rest != ""; {
		var cluster string
		var cells int
		cluster, rest, cells, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += cells; used > width {
			return text[:kept] + strings.Repeat("…", min(max(width, 0), 1))
		}
		if used < width {
			kept += len(cluster)
		}
	}
	return text
}
