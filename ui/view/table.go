package view

import (
	"slices"
	"strings"

	extension "github.com/yuin/goldmark/extension/ast"
)

// narrowColumn is the minimum width of a table column. A table that does not fit at this width is
// shown as a list.
const narrowColumn = 5

// table lays out a Markdown table as columns. If m.listed is true or the columns do not fit, the
// result is a list instead.
func (m *markdown) table(table *extension.Table, width int) []Line {
	var rows [][][]Line // rows, cells, lines
	widths, least := make([]int, len(table.Alignments)), make([]int, len(table.Alignments))
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		var cells [][]Line
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			role := Plain
			if len(rows) == 0 {
				role = Strong
			}
			writer := inlineWriter{source: m.source, lines: []Line{nil}, cell: true}
			writer.children(cell, role)
			for _, line := range writer.lines {
				widths[len(cells)] = max(widths[len(cells)], line.Width())
				least[len(cells)] = max(least[len(cells)], longestWord(line))
			}
			cells = append(cells, writer.lines)
		}
		rows = append(rows, cells)
	}
	if m.listed || !fit(widths, least, width-3*(len(widths)-1)) {
		return layOutRecords(rows, width)
	}
	var laid []Line
	for i, cells := range rows {
		laid = append(laid, tableRow(cells, widths, table.Alignments)...)
		if i == 0 {
			laid = append(laid, ruler(widths))
		}
	}
	return laid
}

// fit reduces widths until their sum does not exceed room. It always shrinks the widest column that
// is wider than its minimum, and returns false if there is no such column.
func fit(widths, least []int, room int) bool {
	total := 0
	for i := range widths {
		widths[i] = max(widths[i], 1)
		total += widths[i]
	}
	for total > room {
		widest := -1
		for i, width := range widths {
			if width > max(narrowColumn, least[i]) && (widest < 0 || width > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		widths[widest]--
		total--
	}
	return true
}

// longestWord returns the width of the longest word of a line. It ignores words wider than
// [breakable], because such words can be broken.
func longestWord(line Line) (width int) {
	for word := range strings.FieldsSeq(line.String()) {
		if cells := Width(word); cells <= breakable {
			width = max(width, cells)
		}
	}
	return width
}

// A table column can split words that are wider than this.
const breakable = 24

func ruler(widths []int) Line {
	var rule strings.Builder
	for i, width := range widths {
		if i > 0 {
			rule.WriteString("─┼─")
		}
		rule.WriteString(strings.Repeat("─", width))
	}
	return Line{{Role: Faint, Part: Frame, Text: rule.String()}}
}

// tableRow lays out one row of a table. The row is as tall as its tallest cell.
func tableRow(cells [][]Line, widths []int, align []extension.Alignment) []Line {
	height := 1
	wrapped := make([][]Line, len(cells))
	for i, cell := range cells {
		for _, line := range cell {
			wrapped[i] = append(wrapped[i], Wrap(line, widths[i])...)
		}
		height = max(height, len(wrapped[i]))
	}
	rows := make([]Line, height)
	for y := range rows {
		for i := range cells {
			if i > 0 {
				rows[y] = append(rows[y], Span{Role: Faint, Part: Bar, Text: " │ "})
			}
			var text Line
			if y < len(wrapped[i]) {
				text = wrapped[i][y]
			}
			if len(text) > 0 {
				text[0].Part = Words // a table row starts a new line
			}
			free := max(widths[i]-text.Width(), 0)
			left := 0
			switch align[i] {
			case extension.AlignRight:
				left = free
			case extension.AlignCenter:
				left = free / 2
			}
			rows[y] = append(rows[y], pad(left)...)
			rows[y] = append(rows[y], text...)
			if i+1 < len(cells) {
				rows[y] = append(rows[y], pad(free-left)...)
			}
		}
	}
	return rows
}

func pad(cells int) Line {
	if cells <= 0 {
		return nil
	}
	return Line{{Role: Plain, Part: Margin, Text: strings.Repeat(" ", cells)}}
}

// layOutRecords lays out a table as a list. Each cell becomes a line of the form "column: text".
func layOutRecords(rows [][][]Line, width int) []Line {
	var laid []Line
	for _, cells := range rows[1:] {
		if len(laid) > 0 {
			laid = append(laid, nil)
		}
		for i, cell := range cells {
			line := append(slices.Concat(rows[0][i]...), Span{Role: Strong, Text: ": "})
			laid = append(laid, Wrap(append(line, slices.Concat(cell...)...), width)...)
		}
	}
	if len(laid) == 0 {
		for _, cell := range rows[0] {
			laid = append(laid, Wrap(slices.Concat(cell...), width)...)
		}
	}
	return laid
}
