package lineedit

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Row is one row of the wrapped text.
type Row struct {
	Text  string
	start int // index of the first element
}

// Rows breaks the text into rows of at most width cells. It also returns the row and the column of
// the cursor. A cursor after a full row is at the start of a new row.
func (d draft) Rows(width int) (rows []Row, row, column int) {
	width = max(width, 2)
	var text strings.Builder
	used, start := 0, 0
	end := func(next int) {
		rows = append(rows, Row{text.String(), start})
		text.Reset()
		used, start = 0, next
	}
	for i, each := range d.buffer {
		shown := each.screenText()
		cells := 0
		if !each.newline() {
			if cells = uniseg.StringWidth(shown); cells > width {
				shown, cells = "▪", 1 // a chip that is wider than the screen
			}
			if used+cells > width {
				end(i)
			}
		}
		if i == d.cursor {
			if used >= width {
				end(i)
			}
			row, column = len(rows), used
		}
		if each.newline() {
			end(i + 1)
			continue
		}
		text.WriteString(shown)
		used += cells
	}
	if d.cursor == len(d.buffer) {
		if used >= width {
			end(d.cursor)
		}
		row, column = len(rows), used
	}
	end(len(d.buffer))
	return rows, row, column
}

// Up moves the cursor up one row, on a screen of the given width. It returns false at the first
// row.
func (e *Editor) Up(width int) bool { return e.vertical(width, -1) }

// Down moves the cursor down one row, on a screen of the given width. It returns false at the last
// row.
func (e *Editor) Down(width int) bool { return e.vertical(width, 1) }

func (e *Editor) vertical(width, step int) bool {
	rows, row, column := e.Rows(width)
	row += step
	if row < 0 || row >= len(rows) {
		return false
	}
	at, last := rows[row].start, len(e.buffer)
	if row+1 < len(rows) {
		last = rows[row+1].start - 1
	}
	for used := 0; at < last && !e.buffer[at].newline(); at++ {
		used += uniseg.StringWidth(e.buffer[at].screenText())
		if used > column {
			break
		}
	}
	e.move(at)
	return true
}
