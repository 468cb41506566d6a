package view

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Role is the meaning of a piece of text. A front end decides how each role looks.
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
	Keyword // the roles from Keyword to Comment are for code
	Name
	Quoted
	Number
	Comment
	Found   // a search match, or selected text
	Snippet // inline code

	// The following roles have no text color, but set the background of the whole row.
	Band        // a prompt
	NoGround    // ends a background
	Ground      // code
	AddedGround // an added line
	RemovedGround
	// AddedWord and RemovedWord mark changed words within a line.
	AddedWord
	RemovedWord

	Roles // number of roles
)

// Span is text with one role. It contains no line breaks or control characters.
type Span struct {
	Role    Role
	Part    Part
	Text    string
	Address string // link address, for terminals that open links, or ""
}

// Part is the purpose of a span in its row. It determines how a selected span is copied.
type Part uint8

// The parts.
const (
	Words  Part = iota
	Goes        // words that continue the row above
	Spaced      // words that continue the row above and are copied after a space
	Indent      // indent, not copied if the row continues the row above
	Margin      // decoration around words: a mark, a frame, a line number
	Frame       // decoration that fills its row
	Bullet      // the mark of a list item or a task
	Bar         // separates two cells of a table
	Side        // separates two columns that are copied separately
)

// Line is a row of the screen.
type Line []Span

// String returns the text of the line.
func (l Line) String() string {
	var text strings.Builder
	for _, span := range l {
		text.WriteString(span.Text)
	}
	return text.String()
}

// Width returns the width of the line in cells.
func (l Line) Width() int { return Width(l.String()) }

// Width returns the width of text in cells. The whole program measures text with this function.
func Width(text string) int {
	if printable(text) {
		return len(text)
	}
	return uniseg.StringWidth(text)
}

// printable is true if all bytes are ASCII characters that are one cell wide.
func printable(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// cutWord shortens text to a width and adds an ellipsis. It cuts between words if the result keeps
// at least two thirds of the text that [Cut] keeps. Otherwise it cuts where [Cut] does.
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

// Cut shortens text to a width and adds an ellipsis. It measures only the beginning of a long text.
func Cut(text string, width int) string {
	if len(text) <= width && printable(text) {
		return text
	}
	kept, used, state := 0, 0, -1 // bytes before the ellipsis, width so far, segmentation state
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
