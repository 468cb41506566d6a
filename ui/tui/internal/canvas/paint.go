package canvas

import (
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"marvin/ui/lineedit"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// Bar is the role of the status bar. It is greater than all roles in package view.
const Bar = view.Roles

// SetTheme sets the theme, which takes effect in the next frame.
func (f *Canvas) SetTheme(name string) error {
	if err := f.Palette.Show(name, f.Screen.Colors()); err != nil {
		return err
	}
	f.Screen.SetStyle(f.Palette.Rest)
	f.Last, f.Dirty, f.Soon = nil, true, true
	return nil
}

// Put sets rows of the frame, the first one at y.
func (f *Canvas) Put(y int, lines ...view.Line) {
	for i, line := range lines {
		if at := y + i; at >= 0 && at < len(f.Rows) {
			f.Rows[at] = line
		}
	}
}

// PutTyped draws a label and the typed text in row bottom-1. It returns the number of rows used,
// which is always 1.
func (f *Canvas) PutTyped(bottom int, label string, typed *lineedit.Editor) int {
	rows, row, column := typed.Rows(max(f.Width-view.Width(label), 2))
	f.Put(bottom-1, view.Line{{Role: view.System, Text: label}, {Role: view.Plain, Text: rows[row].Text}})
	f.Screen.ShowCursor(min(view.Width(label)+column, f.Width-1), bottom-1)
	return 1
}

// Flush copies the changed rows of the frame to tcell's screen. It sets each cell only once,
// because clearing a row first would make tcell send unchanged cells. If the last frame is unknown
// or had another height, Flush writes all rows and returns true.
func (f *Canvas) Flush() (fresh bool) {
	fresh = f.Last == nil
	if len(f.Last) != len(f.Rows) {
		f.Last, fresh = nil, true
	}
	for y, line := range f.Rows {
		if f.Last != nil && slices.Equal(line, f.Last[y]) {
			continue
		}
		rest, behind, x, end := f.Palette.Rest, tcell.ColorDefault, 0, f.Width
		if y >= 1 && y <= f.Bar.Page {
			end-- // the last column is for the scroll bar
		}
		for _, span := range line {
			style := f.Palette.roles[span.Role]
			if ground := f.Palette.grounds[span.Role]; ground != tcell.ColorDefault {
				behind, rest = ground, rest.Background(ground)
			} else if span.Role == view.NoGround {
				behind, rest = tcell.ColorDefault, f.Palette.Rest
			} else if behind != tcell.ColorDefault && span.Role != view.AddedWord && span.Role != view.RemovedWord {
				style = style.Background(behind)
			}
			if span.Address != "" {
				style = style.Url(span.Address).UrlId(linkID(span.Address))
			}
			x = f.putText(x, y, span.Text, style)
		}
		for ; x < end; x++ {
			f.Screen.Put(x, y, " ", rest)
		}
	}
	f.Last = f.Rows
	f.flushBar()
	return fresh
}

// linkID returns a short ID for an address. The terminal treats spans with the same ID as one link.
func linkID(address string) string {
	sum := fnv.New32a()
	io.WriteString(sum, address)
	return strconv.FormatUint(uint64(sum.Sum32()), 36)
}

// flushBar draws the scroll bar in the last column. The transcript leaves this column empty.
func (f *Canvas) flushBar() {
	for y := 1; y <= f.Bar.Page; y++ {
		text, style := " ", f.Palette.Rest
		if y >= f.Bar.Top && y < f.Bar.Top+f.Bar.Size {
			text, style = f.Palette.replaceSymbol("▐"), f.Palette.roles[view.Faint]
		}
		f.Screen.Put(f.Width-1, y, text, style)
	}
}

// putText draws text and returns the column after the text. The text is cleaned first, because
// tcell passes control characters on to the terminal.
func (f *Canvas) putText(x, y int, text string, style tcell.Style) int {
	text, state := termsafe.String(text), -1
	for text != "" && x < f.Width {
		var cluster string
		var cells int
		cluster, text, cells, state = uniseg.FirstGraphemeClusterInString(text, state)
		if cluster == "\t" || cluster == "\n" {
			cluster, cells = " ", 1
		}
		if cells == 0 || x+cells > f.Width {
			continue
		}
		if plain := f.Palette.replaceSymbol(cluster); plain != cluster {
			for _, char := range plain {
				f.Screen.Put(x, y, string(char), style)
				x++
			}
			continue
		}
		f.Screen.Put(x, y, cluster, style)
		x += cells
	}
	return x
}
