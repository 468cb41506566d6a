package canvas

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gdamore/tcell/v2"

	"marvin/ui/view"
)

// BufferedScreen is a screen that gives access to its copy of the terminal's content.
type BufferedScreen interface {
	sync.Locker
	GetCells() *tcell.CellBuffer
}

// Scroll makes the terminal move the rows that have only scrolled since the last frame. It also
// updates tcell's buffer, because tcell does not support scroll regions. On a large screen,
// scrolling reduces the output for a new line from 5,000 bytes to 60.
func (f *Canvas) Scroll(from, to int) {
	if !f.Scrolls || f.Pictures.Layer.HasAny() || len(f.Last) != len(f.Rows) || to-from < 4 {
		return
	}
	by := shift(f.Last[from:to], f.Rows[from:to])
	screen, ok := f.Screen.(BufferedScreen)
	if by == 0 || !ok {
		return
	}
	tty, ok := f.Screen.Tty()
	if !ok {
		return
	}
	screen.Lock()
	defer screen.Unlock()
	cells := screen.GetCells()
	if width, height := cells.Size(); width != f.Width || height != f.Height {
		return
	}
	sequence := fmt.Sprintf("\x1b[?2026h\x1b[0m\x1b[%d;%dr", from+1, to)
	if by > 0 {
		sequence += fmt.Sprintf("\x1b[%d;1H", to) + strings.Repeat("\n", by)
	} else {
		sequence += fmt.Sprintf("\x1b[%d;1H", from+1) + strings.Repeat("\x1bM", -by)
	}
	tty.Write([]byte(sequence + "\x1b[r"))
	moveCells(cells, from, to, by, f.Palette.Rest)
	moved := make([]view.Line, to-from)
	for i := range moved {
		if source := i + by; source >= 0 && source < len(moved) {
			moved[i] = f.Last[from+source]
		}
	}
	copy(f.Last[from:to], moved)
}

// shift returns the number of rows by which the content moved up. The number is negative if the
// content moved down, and 0 if scrolling would not save enough output.
func shift(before, after []view.Line) int {
	changed := 0
	for i := range after {
		if !slices.Equal(after[i], before[i]) {
			changed++
		}
	}
	best, most := 0, max(changed/2, 2)
	for by := -len(after) / 2; by <= len(after)/2; by++ {
		if by == 0 {
			continue
		}
		same := 0
		for i := max(0, -by); i < len(after) && i+by < len(before); i++ {
			if len(after[i]) > 0 && slices.Equal(after[i], before[i+by]) && !slices.Equal(after[i], before[i]) {
				same++
			}
		}
		if same > most {
			best, most = by, same
		}
	}
	return best
}

// moveCells updates tcell's buffer after the terminal has moved rows. The terminal fills vacated
// rows with its own background. If the theme's background differs, moveCells marks these rows
// dirty.
func moveCells(cells *tcell.CellBuffer, from, to, by int, rest tcell.Style) {
	width, _ := cells.Size()
	rows := make([]int, 0, to-from)
	for y := from; y < to; y++ {
		rows = append(rows, y)
	}
	if by < 0 { // start at the bottom, so that each row is read before it is overwritten
		slices.Reverse(rows)
	}
	for _, y := range rows {
		source := y + by
		for x := 0; x < width; x++ {
			text, style, size := " ", rest, 1
			if source >= from && source < to {
				text, style, size = cells.Get(x, source)
			}
			cells.Put(x, y, text, style)
			cells.SetDirty(x, y, rest != tcell.StyleDefault && (source < from || source >= to))
			for ; size > 1 && x+1 < width; size-- { // the content of the cells under a wide character is unknown
				x++
				cells.SetDirty(x, y, true)
			}
		}
	}
}
