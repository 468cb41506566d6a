package view

import (
	"strings"

	"github.com/rivo/uniseg"
)

// tabStop is the distance of tab stops in cells.
const tabStop = 4

// cell is one grapheme cluster on its way into a row.
type cell struct {
	text  string
	role  Role
	width int
}

// Wrap breaks one logical line into rows of at most width cells, between words where
// it can, around wide characters anywhere. There is always at least one row. Wider
// than a row is only a wide character in a row of one cell, which is left out.
func Wrap(line Line, width int) []Line { return wrap(line, width, true) }

// Fold breaks anywhere and drops nothing, for text whose spaces count: code and what
// a person is asked to agree to.
func Fold(line Line, width int) []Line { return wrap(line, width, false) }

func wrap(line Line, width int, words bool) []Line {
	width = max(width, 1)
	var rows []Line
	var row []cell
	used, breakAt := 0, -1 // breakAt: so many cells of row stay when it is broken
	for _, next := range cells(line) {
		if next.width > width {
			continue
		}
		if words && (next.width > 1 && len(row) > 0) {
			breakAt = len(row)
		}
		if used+next.width > width {
			if words && next.text == " " {
				rows, row, used, breakAt = append(rows, join(row, true)), nil, 0, -1
				continue
			}
			at := len(row)
			if breakAt > 0 {
				at = breakAt
			}
			rows = append(rows, join(row[:at], words))
			row = append([]cell(nil), row[at:]...)
			used, breakAt = 0, -1
			for _, kept := range row {
				used += kept.width
			}
		}
		row = append(row, next)
		used += next.width
		if words && (next.text == " " || next.width > 1) {
			breakAt = len(row)
		}
	}
	if len(row) > 0 || len(rows) == 0 {
		rows = append(rows, join(row, false))
	}
	return rows
}

// cells splits a line into clusters, expands tabs and leaves out what has no width.
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
					split = append(split, cell{" ", span.Role, 1})
					column++
				}
				continue
			}
			if width > 0 {
				split = append(split, cell{cluster, span.Role, width})
				column += width
			}
		}
	}
	return split
}

// join makes spans of cells again; trim drops the spaces at the end of a broken row.
func join(row []cell, trim bool) Line {
	for trim && len(row) > 0 && row[len(row)-1].text == " " {
		row = row[:len(row)-1]
	}
	var line Line
	var text strings.Builder
	for i, next := range row {
		text.WriteString(next.text)
		if i+1 == len(row) || row[i+1].role != next.role {
			line = append(line, Span{next.role, text.String()})
			text.Reset()
		}
	}
	return line
}
