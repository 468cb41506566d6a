package tui

import (
	"strings"

	"marvin/ui/slash"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// completion is the list of completions for the word at the cursor.
type completion struct {
	mark   string // prefix of each inserted item: "@" or ""
	word   string // the word at the cursor, including the mark
	items  []slash.Completion
	chosen int  // index of the selected item; -1 for none
	first  bool // Enter and Tab accept the first completion if none is selected
	kept   bool // whether the items come from an earlier list
	top    int
}

// marked returns the index of the item that Enter accepts, or -1 for none.
func (c *completion) marked() int {
	if c.first && c.chosen < 0 {
		return 0
	}
	return c.chosen
}

// completionRows is the maximum number of visible completions.
const completionRows = 8

func (c *completion) move(step int) {
	c.chosen += step
	if c.chosen >= len(c.items) {
		c.chosen = 0
	} else if c.chosen < 0 {
		c.chosen = len(c.items) - 1
	}
	c.top = max(min(c.top, c.chosen), c.chosen-completionRows+1)
}

// noteColumn returns the column at which the descriptions begin. It ignores completions wider than
// 38 cells.
func noteColumn(shown []slash.Completion) int {
	column := 14
	for _, one := range shown {
		if width := view.Width(one.Item) + 2; width <= 40 {
			column = max(column, width)
		}
	}
	return column
}

// draw puts the completions above the given row and returns the number of rows drawn.
func (c *completer) draw(bottom int) int {
	if c.open == nil {
		return 0
	}
	open := c.open
	shown := open.items[open.top:min(open.top+completionRows, len(open.items))]
	shown = shown[:max(min(len(shown), bottom-3), 0)]
	rule := 0
	if len(shown) > 0 && bottom-len(shown) > 3 { // horizontal line above the list
		rule = 1
		c.frame.Put(bottom-len(shown)-1, view.Line{{Role: view.Faint, Text: strings.Repeat("─", c.frame.Width)}})
	}
	column := noteColumn(shown)
	for i, one := range shown {
		item, note := one.Item, one.Note
		row := view.Line{{Role: view.Faint, Text: "  "}, {Role: view.Plain, Text: view.Cut(canvas.OneRow(item), max(c.frame.Width-16, 1))}}
		if open.top+i == open.marked() {
			row[1].Role = view.Assistant
			if open.chosen >= 0 {
				row[0] = view.Span{Role: view.Assistant, Text: "▸ "}
			} else {
				note = "Enter"
			}
		}
		if entry, ok := slash.FindMeant(item); ok && open.mark == "" && note == "" {
			note = entry.Help
		}
		gap, more := max(column-view.Width(row[1].Text), 1), ""
		if i == len(shown)-1 && open.top+len(shown) < len(open.items) {
			more = "  and more"
		}
		if left := c.frame.Width - view.Width(row.String()+more) - gap - 2; note != "" && left > 12 {
			row = append(row, view.Span{Role: view.Faint, Text: strings.Repeat(" ", gap) + view.Cut(canvas.OneRow(note), left)})
		}
		if more != "" {
			row = append(row, view.Span{Role: view.Faint, Text: more})
		}
		c.frame.Put(bottom-len(shown)+i, row)
	}
	return len(shown) + rule
}
