package view

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// tabStop is the distance, in cells, between tab stops.
const tabStop = 4

// cell is a grapheme cluster of a row.
type cell struct {
	text    string
	role    Role
	address string
	width   int
}

// Wrap breaks a line into one or more rows of at most width cells. If possible, each break is
// between words or next to a wide character. Characters wider than width are dropped.
func Wrap(line Line, width int) []Line { return wrap(line, width, words) }

// Break is like [Wrap], but keeps all spaces, because the user must approve the exact text. A space
// therefore remains next to each break between words.
func Break(line Line, width int) []Line { return wrap(line, width, whole) }

// Fold breaks a line anywhere and keeps all spaces. It is for code.
func Fold(line Line, width int) []Line { return wrap(line, width, anywhere) }

// breakRule says where a line may be broken.
type breakRule uint8

const (
	words    breakRule = iota // between words; spaces at the break are dropped
	whole                     // between words
	anywhere                  // between any two clusters
)

// WrapAligned wraps a line whose columns are aligned with spaces, for example in a table or list.
// Continuation rows are indented to the last column.
func WrapAligned(span Span, width int) []Line {
	column := columnOf(span.Text, width/2)
	if column == 0 {
		return Wrap(Line{span}, width)
	}
	rows := Wrap(Line{{Role: span.Role, Text: span.Text[column:]}}, width-column)
	for i := range rows {
		margin := Span{Role: span.Role, Part: Margin, Text: strings.Repeat(" ", column)}
		if i == 0 {
			margin.Part, margin.Text = Words, span.Text[:column]
		}
		rows[i] = append(Line{margin}, rows[i]...)
	}
	return rows
}

// columnOf returns the last position, up to limit, at which a column begins, or 0 if there is none.
// A column begins after the indentation or after two or more spaces. Spaces after punctuation do
// not begin a column. Only ASCII text is searched, so each byte before the column is one cell.
func columnOf(text string, limit int) int {
	column := 0
	for i := 1; i < min(len(text), limit+1) && text[i-1] < utf8.RuneSelf && text[i-1] != '\t'; i++ {
		if text[i-1] != ' ' || text[i] == ' ' {
			continue
		}
		before := strings.TrimRight(text[:i], " ")
		if before == "" || i-len(before) > 1 && !strings.ContainsAny(before[len(before)-1:], ".?!:,;") {
			column = i
		}
	}
	return column
}

func wrap(line Line, width int, where breakRule) []Line {
	width = max(width, 1)
	var rows []Line
	var row []cell
	used, breakAt := 0, -1 // breakAt is the last possible break in the current row, or -1
	part := Words
	end := func(row []cell, trim bool) {
		line, trimmed := join(row, trim)
		if len(line) > 0 {
			line[0].Part = part
		}
		if rows, part = append(rows, line), Goes; trimmed {
			part = Spaced
		}
	}
	for _, next := range cells(line) {
		if next.width > width {
			continue
		}
		if where != anywhere && next.width > 1 && len(row) > 0 {
			breakAt = len(row)
		}
		if used+next.width > width {
			if where == words && next.text == " " {
				end(row, true)
				row, used, breakAt, part = nil, 0, -1, Spaced
				continue
			}
			at := len(row)
			if breakAt > 0 && next.text != " " {
				at = breakAt
			}
			end(row[:at], where == words)
			row = append([]cell(nil), row[at:]...)
			used, breakAt = 0, -1
			for _, kept := range row {
				used += kept.width
			}
		}
		row = append(row, next)
		used += next.width
		if where != anywhere && (next.text == " " || next.width > 1) {
			breakAt = len(row)
		}
	}
	if len(row) > 0 || len(rows) == 0 {
		end(row, false)
	}
	return rows
}

// cells returns the clusters of a line. It expands tabs and drops clusters without a width.
func cells(line Line) []cell {
	var split []cell
	column := 0
	for _, span := range line {
		text, state := span.Text, -1
		for text != "" {
			var cluster string
			var width int
			cluster, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
			if cluster == "\t" {
				for pad := tabStop - column%tabStop; pad > 0; pad-- {
					split = append(split, cell{" ", span.Role, span.Address, 1})
					column++
				}
				continue
			}
			if width > 0 {
				split = append(split, cell{cluster, span.Role, span.Address, width})
				column += width
			}
		}
	}
	return split
}

// join combines cells into spans. If trim is true, it removes trailing spaces and reports whether
// there were any.
func join(row []cell, trim bool) (line Line, trimmed bool) {
	for trim && len(row) > 0 && row[len(row)-1].text == " " {
		row, trimmed = row[:len(row)-1], true
	}
	var text strings.Builder
	for i, next := range row {
		text.WriteString(next.text)
		if i+1 == len(row) || row[i+1].role != next.role || row[i+1].address != next.address {
			line = append(line, Span{Role: next.role, Text: text.String(), Address: next.address})
			text.Reset()
		}
	}
	return line, trimmed
}

// WrapLabeled wraps a line of the greeting. Rows after the first are indented by the width of the
// label.
func WrapLabeled(line string, width int) []string {
	const label = len("Directory  ")
	if Width(line) <= width || len(line) <= label || width < 3*label {
		return []string{line}
	}
	var rows []string
	for i, row := range Wrap(Line{{Role: Plain, Text: line[label:]}}, width-label) {
		margin := strings.Repeat(" ", label)
		if i == 0 {
			margin = line[:label]
		}
		rows = append(rows, margin+row.String())
	}
	return rows
}
