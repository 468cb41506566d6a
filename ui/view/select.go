package view

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// A mouse selection extends from one cell of the transcript to another. It contains the original
// words without decoration. Because it refers to lines of blocks, new text and scrolling do not
// move it.

// Spot is a cell of the transcript.
type Spot struct {
	block *Block // nil if there is no position
	at    anchor
	cell  int
}

// endOfRow is a cell number beyond the end of every row.
const endOfRow = 1 << 20

func (s Spot) precedes(t Spot) bool {
	return s.at.before(t.at) || s.at == t.at && s.cell < t.cell
}

// Selection is the selected part of a window, both ends included.
type Selection struct {
	Window   *Window
	from, to Spot
	on       bool
	width    int // width of the window when the text was selected; other widths break rows differently
}

func (s *Selection) orderedEnds() (first, last Spot) {
	if s.to.precedes(s.from) {
		return s.to, s.from
	}
	return s.from, s.to
}

// SpotAt returns the spot at a row and cell of the window. For a row above the window, it returns
// the first visible cell. For a row below the text, it returns the end of the last row.
func (s *Selection) SpotAt(row, cell int) Spot {
	switch {
	case len(s.Window.rows) == 0:
		return Spot{}
	case row < 0:
		row, cell = 0, 0
	case row >= len(s.Window.rows):
		row, cell = len(s.Window.rows)-1, endOfRow
	}
	at := s.Window.rows[row]
	return Spot{block: s.Window.blocks[at.block], at: at, cell: max(cell, 0)}
}

// Select selects the text from one cell to another.
func (s *Selection) Select(from, to Spot) {
	s.from, s.to, s.on, s.width = from, to, from.block != nil && to.block != nil, s.Window.width
}

// Unselect ends the selection and reports whether there was one.
func (s *Selection) Unselect() bool {
	was := s.on
	s.on = false
	return was
}

// valid clears s.on if the selected rows have changed, and returns s.on.
func (s *Selection) valid() bool {
	for _, end := range []Spot{s.from, s.to} {
		if s.width != s.Window.width || end.at.block >= len(s.Window.blocks) || s.Window.blocks[end.at.block] != end.block {
			s.on = false
		}
	}
	return s.on
}

// selectedCells returns the range of selected cells in a line. The range is empty if no cell is
// selected.
func (s *Selection) selectedCells(at anchor) (from, to int) {
	first, last := s.orderedEnds()
	if at.before(first.at) || last.at.before(at) {
		return 0, 0
	}
	if to = endOfRow; at == last.at {
		to = last.cell + 1
	}
	if at == first.at {
		from = first.cell
	}
	return from, to
}

// Words returns the selected words and the number of lines that they fill.
func (s *Selection) Words() (words string, lines int) {
	if !s.valid() {
		return "", 0
	}
	first, last := s.orderedEnds()
	var text strings.Builder
	for i := first.at.block; i <= last.at.block; i++ {
		for line, row := range s.Window.lines(i) {
			from, to := s.selectedCells(anchor{i, line})
			if from == to || row.frame() {
				continue
			}
			said, goes := row.wordsBetween(from, to, s.from.cell)
			switch {
			case text.Len() == 0 && lines == 0, goes == Goes:
			case goes == Spaced:
				text.WriteByte(' ')
			default:
				text.WriteByte('\n')
			}
			if goes == Words {
				lines++
			}
			text.WriteString(said)
		}
	}
	words = strings.Trim(text.String(), "\n")
	return words, strings.Count(words, "\n") + 1
}

// Paint returns a row of the screen with its selected cells highlighted.
func (s *Selection) Paint(row int, line Line) Line {
	if row < 0 || row >= len(s.Window.rows) || !s.valid() {
		return line
	}
	from, to := s.selectedCells(s.Window.rows[row])
	if from == to {
		return line
	}
	begin, end := line.side(s.from.cell)
	var painted Line
	cell := 0
	for i, span := range line {
		wide := Width(span.Text)
		if i < begin || i >= end || !span.Part.hasWords() {
			painted = append(painted, span)
			cell += wide
			continue
		}
		before, inside, after := splitAtCells(span.Text, from-cell, to-cell)
		for _, piece := range []Span{{span.Role, span.Part, before, span.Address}, {Found, span.Part, inside, span.Address}, {span.Role, span.Part, after, span.Address}} {
			if piece.Text != "" || piece.Role == span.Role && span.Text == "" {
				painted = append(painted, piece)
			}
		}
		cell += wide
	}
	return painted
}

// Grab stops the window from following new text while the user selects with the mouse.
// [Selection.LetGo] or scrolling ends the grab.
func (s *Selection) Grab() {
	if w := s.Window; len(w.blocks) > 0 && !w.away {
		w.stayAt(w.start())
		w.away, w.grabbed = true, true
	}
}

// LetGo undoes [Selection.Grab], unless the user has scrolled since.
func (s *Selection) LetGo() {
	if s.Window.grabbed {
		s.Window.End()
	}
}

func (p Part) hasWords() bool { return p == Words || p == Goes || p == Spaced }

// frame is true if any span of a row has the part [Frame].
func (l Line) frame() bool {
	return slices.ContainsFunc(l, func(span Span) bool { return span.Part == Frame })
}

// side returns the indices of the column where the selection began. The column is l[begin:end]. A
// row without a [Side] span is a single column.
func (l Line) side(began int) (begin, end int) {
	cell := 0
	for i, span := range l {
		if cell += Width(span.Text); span.Part != Side {
			continue
		}
		if began < cell {
			return 0, i
		}
		return i + 1, len(l)
	}
	return 0, len(l)
}

// wordsBetween returns the words from one cell of a row to another. It reads only the column in
// which the selection began. The returned part is [Goes] or [Spaced] if the row continues the row
// above, and [Words] otherwise.
func (l Line) wordsBetween(from, to, began int) (words string, part Part) {
	begin, end := l.side(began)
	for _, span := range l[begin:end] {
		if span.Part == Goes || span.Part == Spaced {
			part = span.Part
		}
	}
	var text strings.Builder
	cell := 0
	for i, span := range l {
		at := cell
		cell += Width(span.Text)
		_, inside, _ := splitAtCells(span.Text, from-at, to-at)
		switch {
		case i < begin || i >= end || inside == "":
		case span.Part == Bar:
			text.WriteByte('\t')
		case span.Part == Bullet:
			text.WriteString(itemMarks[span.Text])
		case span.Part.hasWords() || span.Part == Indent && part == Words:
			text.WriteString(inside)
		}
	}
	return text.String(), part
}

// itemMarks maps the displayed mark of a list item to its Markdown mark.
var itemMarks = map[string]string{"• ": "- ", "☐ ": "- [ ] ", "☑ ": "- [x] "}

// splitAtCells splits text into three parts, at two cell positions. A wide character on a boundary
// belongs to the middle part.
func splitAtCells(text string, from, to int) (before, inside, after string) {
	begin, end, cell, state := 0, 0, 0, -1
	for rest := text; rest != ""; {
		var cluster string
		var cells int
		cluster, rest, cells, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if cell+cells <= from {
			begin += len(cluster)
		}
		if cell < to {
			end += len(cluster)
		}
		cell += cells
	}
	end = max(begin, end)
	return text[:begin], text[begin:end], text[end:]
}
