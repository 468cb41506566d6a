package tui

import (
	"slices"
	"strings"
	"time"

	"marvin/ui/conversation"
	"marvin/ui/lineedit"
	"marvin/ui/slash"
	"marvin/ui/tui/internal/canvas"
)

// completer finds what the word at the cursor may become.
type completer struct {
	input  *lineedit.Editor
	talk   *conversation.State
	frame  *canvas.Canvas
	say    func(text string, during time.Duration)
	beside func(work func() (then func()))
	list   func(kind slash.Kind, dir, prefix string) []slash.Completion // nil for nothing but commands
	open   *completion                                                  // nil for none
	seeks  bool                                                         // files are searched beside the loop
}

// suggest looks for completions of the typed word, if it is a command or a path after @.
func (c *completer) suggest() {
	shown := c.open
	c.open = nil
	before, word := c.input.Word()
	switch {
	case c.input.First() && before == "" && len(word) > 0 && (word[0] == '/' || word[0] == '!'):
		c.offer("", slash.Unnoted(slash.Complete(word)))
		if len(word) > 1 && word[0] == '/' {
			c.lookUp(slash.KindCommand, "", word, false)
		}
	case strings.HasPrefix(word, "@"):
		c.keep(shown, word)
		c.lookUp(slash.KindPath, "@", word[1:], false)
		c.lookFor(word)
	default:
		if kind := slash.Argument(before, c.input.First()); kind != "" {
			c.lookUp(kind, "", word, false)
		}
	}
}

// keep keeps those of the shown files that match the longer word, until the search is done: a fast
// typist accepts the shown one with Enter.
func (c *completer) keep(shown *completion, word string) {
	if shown == nil || shown.mark != "@" || !strings.HasPrefix(word, shown.word) {
		return
	}
	if c.offer("@", slash.Fitting(shown.items, word[1:])); c.open != nil {
		c.open.kept = true
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
	switch kind, mark := slash.Completes(before, word, c.input.First()); kind {
	case "":
	case slash.KindCommand:
		if c.list == nil || !strings.HasPrefix(word, "/") {
			c.complete("", slash.Unnoted(slash.Complete(word)))
			return
		}
		c.lookUp(kind, mark, word, true)
	default:
		c.lookUp(kind, mark, word[len(mark):], true)
	}
}

// lookUp asks the program beside the loop; an answer for a changed word is dropped, and so is one
// that comes while the user moves in the list.
func (c *completer) lookUp(kind slash.Kind, mark, prefix string, chosen bool) {
	if c.list == nil {
		return
	}
	dir := c.talk.Dir
	c.beside(func() func() {
		items := c.list(kind, dir, prefix)
		if kind == slash.KindCommand {
			items = slash.Fitting(append(slash.Unnoted(slash.Complete(prefix)), items...), prefix)
		}
		return func() {
			if _, word := c.input.Word(); word != mark+prefix {
				return
			}
			switch {
			case chosen:
				c.complete(mark, items)
			case c.open != nil && c.open.chosen >= 0: // keep the user's choice
			case !searched(mark + prefix):
				c.replace(mark, items)
			default:
				c.offer(mark, items)
			}
			c.frame.Dirty, c.frame.Soon = true, true
		}
	})
}

// lookFor searches files with the letters of a word, beside the loop, and shows them instead of
// those that begin with it, unless the user moves in the list. One word is searched at a time; then
// comes the present one.
func (c *completer) lookFor(word string) {
	if c.list == nil || c.seeks || !searched(word) {
		return
	}
	c.seeks = true
	dir := c.talk.Dir
	c.beside(func() func() {
		found := c.list(slash.KindFile, dir, word[1:])
		return func() {
			c.seeks = false
			c.frame.Rests = c.frame.Drawn.Add(rest) // what making and searching the index took is given back
			if _, now := c.input.Word(); now != word {
				c.lookFor(now)
				return
			}
			if c.open != nil && (c.open.mark != "@" || c.open.chosen >= 0) {
				return
			}
			c.replace("@", found)
			c.frame.Dirty, c.frame.Soon = true, true
		}
	})
}

// searched says whether files anywhere are meant by a word, and not a path that is spelled out.
func searched(word string) bool {
	return len(word) > 1 && word[0] == '@' && !strings.ContainsAny(word[1:2], "/~.")
}

// replace offers what was found last, and nothing that was kept where that is nothing.
func (c *completer) replace(mark string, items []slash.Completion) {
	if c.open != nil && c.open.kept {
		c.open = nil
	}
	c.offer(mark, items)
}

// offer shows completions and chooses none. But behind @ and letters Enter takes the first, as
// people know it from other agents: what they search for by a few letters is no prompt yet.
// What is the whole name of a file, or ends with a slash, is.
func (c *completer) offer(mark string, items []slash.Completion) {
	if len(items) == 0 {
		return
	}
	_, word := c.input.Word()
	begun := mark == "@" && len(word) > len(mark) && !strings.HasSuffix(word, "/")
	whole := slices.ContainsFunc(items, func(one slash.Completion) bool { return mark+one.Item == word })
	c.open = &completion{mark: mark, word: word, items: items, chosen: -1, first: begun && !whole}
}

// complete puts what all completions have in common, and shows them if they are several.
func (c *completer) complete(mark string, items []slash.Completion) {
	if len(items) == 0 {
		c.say("No completions", canvas.HintTime)
		return
	}
	c.offer(mark, items)
	if len(items) == 1 {
		c.accept()
		return
	}
	common := mark + slash.Common(items)
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
