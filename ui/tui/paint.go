package tui

import (
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// bar is the role of the status bar.
const bar = view.Roles

// paint switches the theme, from the next frame.
func (f *frame) paint(name string) error {
	if err := f.palette.show(name, f.screen.Colors()); err != nil {
		return err
	}
	f.screen.SetStyle(f.palette.rest)
	f.last, f.dirty, f.soon = nil, true, true
	return nil
}

// put sets a row of the frame.
func (f *frame) put(y int, line view.Line) {
	if y >= 0 && y < len(f.rows) {
		f.rows[y] = line
	}
}

// flush sends the frame to the screen. Rows that are as before are not touched; in the
// others every cell is set, and set once: tcell takes a cell that was cleared and drawn
// again for a changed one, and would send it. It reports whether all of it was set.
func (f *frame) flush() (fresh bool) {
	fresh = f.last == nil
	if len(f.last) != len(f.rows) {
		f.last, fresh = nil, true
	}
	for y, line := range f.rows {
		if f.last != nil && slices.Equal(line, f.last[y]) {
			continue
		}
		rest, behind, x, end := f.palette.rest, tcell.ColorDefault, 0, f.width
		if y >= 1 && y <= f.bar.page {
			end-- // the scroll bar's
		}
		for _, span := range line {
			style := f.palette.roles[span.Role]
			if ground := f.palette.grounds[span.Role]; ground != tcell.ColorDefault {
				behind, rest = ground, rest.Background(ground)
			} else if span.Role == view.NoGround {
				behind, rest = tcell.ColorDefault, f.palette.rest
			} else if behind != tcell.ColorDefault && span.Role != view.AddedWord && span.Role != view.RemovedWord {
				style = style.Background(behind)
			}
			if span.Address != "" { // rows of one link are shown as one
				style = style.Url(span.Address).UrlId(linkID(span.Address))
			}
			x = f.putText(x, y, span.Text, style)
		}
		for ; x < end; x++ {
			f.screen.Put(x, y, " ", rest)
		}
	}
	f.last = f.rows
	f.flushBar()
	return fresh
}

// linkID is a short name for an address, by which a terminal knows what belongs together.
func linkID(address string) string {
	sum := fnv.New32a()
	io.WriteString(sum, address)
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// flushBar draws the scroll bar over the last column of the transcript, which is left
// free for it.
func (f *frame) flushBar() {
	for y := 1; y <= f.bar.page; y++ {
		text, style := " ", f.palette.rest
		if y >= f.bar.top && y < f.bar.top+f.bar.size {
			text, style = f.palette.drawn("▐"), f.palette.roles[view.Faint]
		}
		f.screen.Put(f.width-1, y, text, style)
	}
}

// putText draws text and says in which cell it ends. It is the last gate to the
// terminal, which obeys what it is sent: tcell passes control characters on.
func (f *frame) putText(x, y int, text string, style tcell.Style) int {
	text, state := termsafe.String(text), -1
	for text != "" && x < f.width {
		var cluster string
		var cells int
		cluster, text, cells, state = uniseg.FirstGraphemeClusterInString(text, state)
		if cluster == "\t" || cluster == "\n" {
			cluster, cells = " ", 1
		}
		if cells == 0 || x+cells > f.width {
			continue
		}
		if plain := f.palette.drawn(cluster); plain != cluster {
			for _, char := range plain {
				f.screen.Put(x, y, string(char), style)
				x++
			}
			continue
		}
		f.screen.Put(x, y, cluster, style)
		x += cells
	}
	return x
}
