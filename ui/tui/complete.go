package tui

import (
	"slices"
	"strings"
	"time"

	"marvin/ui/command"
	"marvin/ui/conversation"
	"marvin/ui/lineedit"
	"marvin/ui/view"
)

// completion is the list of what the word at the cursor may become.
type completion struct {
	mark   string // what stays in front of the word, such as @
	items  []command.Completion
	chosen int  // -1 for none
	first  bool // while none is chosen Enter and Tab take the first
	top    int
}

// marked is the row that Enter takes, -1 for none.
func (c *completion) marked() int {
	if c.first && c.chosen < 0 {
		return 0
	}
	return c.chosen
}

// completer finds what the word at the cursor may become.
type completer struct {
	input  *lineedit.Editor
	talk   *conversation.State
	frame  *frame
	say    func(text string, during time.Duration)
	beside func(work func() (then func()))
	list   func(kind command.Kind, dir, prefix string) []command.Completion // nil for nothing but commands
	open   *completion                                                      // nil for none
	seeks  bool                                                             // files are searched beside the loop
}

// completionRows is how many of them are shown.
const completionRows = 8

// suggest looks for completions of the word that was just typed, if it is one for
// which people expect them: a command, or a path behind @.
func (c *completer) suggest() {
	c.open = nil
	before, word := c.input.Word()
	switch {
	case c.input.First() && before == "" && len(word) > 0 && (word[0] == '/' || word[0] == '!'):
		c.offer("", command.Unnoted(command.Complete(word)))
		if len(word) > 1 && word[0] == '/' {
			c.lookUp(command.KindCommand, "", word, false)
		}
	case strings.HasPrefix(word, "@"):
		c.lookUp(command.KindPath, "@", word[1:], false)
		c.lookFor(word)
	default:
		if kind := command.Argument(before, c.input.First()); kind != "" {
			c.lookUp(kind, "", word, false)
		}
	}
}

// tab completes the word at the cursor: at once what there is no choice about, else
// from the list. Beside a pasted text it opens that.
func (c *completer) tab() {
	if c.open != nil {
		taken := c.open.first && c.open.chosen < 0 || len(c.open.items) == 1
		if c.open.move(1); taken {
			c.accept()
		}
		return
	}
	if c.input.OpenChip() {
		return
	}
	before, word := c.input.Word()
	switch kind, mark := command.Completes(before, word, c.input.First()); kind {
	case "":
	case command.KindCommand:
		if c.list == nil || !strings.HasPrefix(word, "/") {
			c.complete("", command.Unnoted(command.Complete(word)))
			return
		}
		c.lookUp(kind, mark, word, true)
	default:
		c.lookUp(kind, mark, word[len(mark):], true)
	}
}

// lookUp asks the program beside the loop; an answer for a word that was changed
// meanwhile is not shown, nor one for somebody who goes through the list already.
func (c *completer) lookUp(kind command.Kind, mark, prefix string, chosen bool) {
	if c.list == nil {
		return
	}
	dir := c.talk.Dir
	c.beside(func() func() {
		items := c.list(kind, dir, prefix)
		if kind == command.KindCommand {
			items = command.Fitting(append(command.Unnoted(command.Complete(prefix)), items...), prefix)
		}
		return func() {
			if _, word := c.input.Word(); word != mark+prefix {
				return
			}
			switch {
			case chosen:
				c.complete(mark, items)
			case c.open != nil && c.open.chosen >= 0: // nobody's choice is taken away
			default:
				c.offer(mark, items)
			}
			c.frame.dirty, c.frame.soon = true, true
		}
	})
}

// lookFor finds files that have the letters of a word, beside the loop, and shows them in
// the place of those that begin with it, but not to somebody who goes through the list. One
// word is searched at a time: behind it comes the word that stands there then.
func (c *completer) lookFor(word string) {
	if c.list == nil || c.seeks || !searched(word) {
		return
	}
	c.seeks = true
	dir := c.talk.Dir
	c.beside(func() func() {
		found := c.list(command.KindFile, dir, word[1:])
		return func() {
			c.seeks = false
			c.frame.rests = c.frame.drawn.Add(rest) // what making and searching the index took is given back
			if _, now := c.input.Word(); now != word {
				c.lookFor(now)
				return
			}
			if c.open != nil && (c.open.mark != "@" || c.open.chosen >= 0) {
				return
			}
			c.offer("@", found)
			c.frame.dirty, c.frame.soon = true, true
		}
	})
}

// searched says whether files anywhere are meant by a word, and not a path that is spelled out.
func searched(word string) bool {
	return len(word) > 1 && word[0] == '@' && !strings.ContainsAny(word[1:2], "/~.")
}

// offer shows completions and chooses none. But behind @ and letters Enter takes the first, as
// people know it from other agents: what they search for by a few letters is no prompt yet.
// What is the whole name of a file, or ends with a slash, is.
func (c *completer) offer(mark string, items []command.Completion) {
	if len(items) == 0 {
		return
	}
	_, word := c.input.Word()
	begun := mark == "@" && len(word) > len(mark) && !strings.HasSuffix(word, "/")
	whole := slices.ContainsFunc(items, func(one command.Completion) bool { return mark+one.Item == word })
	c.open = &completion{mark: mark, items: items, chosen: -1, first: begun && !whole}
}

// complete puts what all completions have in common, and shows them if they are several.
func (c *completer) complete(mark string, items []command.Completion) {
	if len(items) == 0 {
		c.say("Nothing completes this", hintTime)
		return
	}
	c.offer(mark, items)
	if len(items) == 1 {
		c.accept()
		return
	}
	common := mark + command.Common(items)
	if _, word := c.input.Word(); len(common) > len(word) && strings.HasPrefix(common, word) {
		c.input.ReplaceWord(common)
	}
}

// accept takes the chosen completion, or the first.
func (c *completer) accept() {
	item := c.open.mark + c.open.items[max(c.open.chosen, 0)].Item
	c.open = nil
	if !strings.HasSuffix(item, "/") {
		c.input.CompleteWord(item)
		return
	}
	c.input.ReplaceWord(item)
	c.suggest()
}

// key takes a key while completions are shown. It reports false for one that
// does what it always does.
func (c *completer) key(name string) bool {
	switch name {
	case "Up", "Shift-Tab":
		c.open.move(-1)
	case "Down":
		c.open.move(1)
	case "Enter":
		if c.open.marked() < 0 {
			return false
		}
		c.accept()
	case "Esc":
		c.open = nil
	default:
		return false
	}
	return true
}

func (c *completion) move(step int) {
	c.chosen += step
	if c.chosen >= len(c.items) {
		c.chosen = 0
	} else if c.chosen < 0 {
		c.chosen = len(c.items) - 1
	}
	c.top = max(min(c.top, c.chosen), c.chosen-completionRows+1)
}

// noteColumn is where notes stand, in cells behind the beginning of what is typed: beside all of
// them, but for those that are very long.
func noteColumn(shown []command.Completion) int {
	column := 14
	for _, one := range shown {
		if width := view.Width(one.Item) + 2; width <= 40 {
			column = max(column, width)
		}
	}
	return column
}

// draw draws the list above a row and says how many rows it took.
func (c *completer) draw(bottom int) int {
	if c.open == nil {
		return 0
	}
	open := c.open
	shown := open.items[open.top:min(open.top+completionRows, len(open.items))]
	shown = shown[:max(min(len(shown), bottom-3), 0)]
	rule := 0
	if len(shown) > 0 && bottom-len(shown) > 3 { // else they read as the end of what was said
		rule = 1
		c.frame.put(bottom-len(shown)-1, view.Line{{Role: view.Faint, Text: strings.Repeat("─", c.frame.width)}})
	}
	column := noteColumn(shown)
	for i, one := range shown {
		item, note := one.Item, one.Note
		row := view.Line{{Role: view.Faint, Text: "  "}, {Role: view.Plain, Text: view.Cut(oneRow(item), max(c.frame.width-16, 1))}}
		if open.top+i == open.marked() {
			row[1].Role = view.Assistant
			if open.chosen >= 0 {
				row[0] = view.Span{Role: view.Assistant, Text: "▸ "}
			} else {
				note = "Enter"
			}
		}
		if entry, ok := command.Find(item); ok && open.mark == "" && note == "" {
			note = entry.Help
		}
		gap, more := max(column-view.Width(row[1].Text), 1), ""
		if i == len(shown)-1 && open.top+len(shown) < len(open.items) {
			more = "  and more"
		}
		if left := c.frame.width - view.Width(row.String()+more) - gap - 2; note != "" && left > 12 {
			row = append(row, view.Span{Role: view.Faint, Text: strings.Repeat(" ", gap) + view.Cut(oneRow(note), left)})
		}
		if more != "" {
			row = append(row, view.Span{Role: view.Faint, Text: more})
		}
		c.frame.put(bottom-len(shown)+i, row)
	}
	return len(shown) + rule
}
