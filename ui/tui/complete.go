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

// completer completes the word at the cursor.
type completer struct {
	input  *lineedit.Editor
	talk   *conversation.State
	frame  *canvas.Canvas
	say    func(text string, during time.Duration)
	beside func(work func() (then func()))
	list   func(kind slash.Kind, dir, prefix string) []slash.Completion // if nil, only commands are completed
	open   *completion                                                  // nil for none
	seeks  bool                                                         // a file search is running
}

// suggest obtains completions for the word at the cursor if the word is a command, a command's
// argument, or a path after @.
func (c *completer) suggest() {
	shown := c.open
	c.open = nil
	before, word := c.input.Word()
	switch {
	case c.input.First() && before == "" && len(word) > 0 && (word[0] == '/' || word[0] == '!'):
		c.offer("", slash.WithoutNotes(slash.Complete(word)))
		if len(word) > 1 && word[0] == '/' {
			c.lookUp(slash.KindCommand, "", word, false)
		}
	case strings.HasPrefix(word, "@"):
		c.reuseResults(shown, word)
		c.lookUp(slash.KindPath, "@", word[1:], false)
		c.searchFiles(word)
	default:
		if kind := slash.Argument(before, c.input.First()); kind != "" {
			c.lookUp(kind, "", word, false)
		}
	}
}

// reuseResults shows the earlier results that still match the word. They stay until the new search
// ends, so that a fast typist can accept a file with Enter.
func (c *completer) reuseResults(shown *completion, word string) {
	if shown == nil || shown.mark != "@" || !strings.HasPrefix(word, shown.word) {
		return
	}
	if c.offer("@", slash.Matching(shown.items, word[1:])); c.open != nil {
		c.open.kept = true
	}
}

// tab selects or accepts an item of the open list. If no list is open, tab expands a chip next to
// the cursor. If there is no such chip, tab completes the word at the cursor.
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
	switch kind, mark := slash.KindOfWord(before, word, c.input.First()); kind {
	case "":
	case slash.KindCommand:
		if c.list == nil || !strings.HasPrefix(word, "/") {
			c.complete("", slash.WithoutNotes(slash.Complete(word)))
			return
		}
		c.lookUp(kind, mark, word, true)
	default:
		c.lookUp(kind, mark, word[len(mark):], true)
	}
}

// lookUp finds completions in the background, and drops them if the word has changed meanwhile. If
// byTab is true, lookUp completes the word. Otherwise, lookUp shows the completions, but keeps an
// open list in which an item is selected.
func (c *completer) lookUp(kind slash.Kind, mark, prefix string, byTab bool) {
	if c.list == nil {
		return
	}
	dir := c.talk.Dir
	c.beside(func() func() {
		items := c.list(kind, dir, prefix)
		if kind == slash.KindCommand {
			items = slash.Matching(append(slash.WithoutNotes(slash.Complete(prefix)), items...), prefix)
		}
		return func() {
			if _, word := c.input.Word(); word != mark+prefix {
				return
			}
			switch {
			case byTab:
				c.complete(mark, items)
			case c.open != nil && c.open.chosen >= 0: // keep the selected item
			case !namesFile(mark + prefix):
				c.replace(mark, items)
			default:
				c.offer(mark, items)
			}
			c.frame.Dirty, c.frame.Soon = true, true
		}
	})
}

// searchFiles searches in the background for the files that match a word. If the word has changed
// when the search ends, searchFiles searches again for the new word. A list with a selected file is
// not replaced.
func (c *completer) searchFiles(word string) {
	if c.list == nil || c.seeks || !namesFile(word) {
		return
	}
	c.seeks = true
	dir := c.talk.Dir
	c.beside(func() func() {
		found := c.list(slash.KindFile, dir, word[1:])
		return func() {
			c.seeks = false
			c.frame.Rests = c.frame.Drawn.Add(rest) // time at which the search's memory is freed
			if _, now := c.input.Word(); now != word {
				c.searchFiles(now)
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

// namesFile reports whether a word, such as "@main", requests a file search. A word such as
// "@./main" is a path instead.
func namesFile(word string) bool {
	return len(word) > 1 && word[0] == '@' && !strings.ContainsAny(word[1:2], "/~.")
}

// replace removes results that [completer.reuseResults] has shown, and then shows the new results.
func (c *completer) replace(mark string, items []slash.Completion) {
	if c.open != nil && c.open.kept {
		c.open = nil
	}
	c.offer(mark, items)
}

// offer opens a list of completions in which none is selected. After "@" and a partial name, Enter
// accepts the first completion, because a partial name cannot be a prompt. A name that equals a
// completion or ends with a slash is not partial.
func (c *completer) offer(mark string, items []slash.Completion) {
	if len(items) == 0 {
		return
	}
	_, word := c.input.Word()
	begun := mark == "@" && len(word) > len(mark) && !strings.HasSuffix(word, "/")
	whole := slices.ContainsFunc(items, func(one slash.Completion) bool { return mark+one.Item == word })
	c.open = &completion{mark: mark, word: word, items: items, chosen: -1, first: begun && !whole}
}

// complete accepts a single item. If there are several items, complete lists the items and inserts
// their common prefix.
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

// accept inserts the selected completion, or the first one if none is selected.
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

// key applies a key press to the open list. If the list does not use the key, key returns false.
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
