package tui

import (
	"strings"

	"marvin/ui/command"
	"marvin/ui/view"
)

// completion is the list of what the word at the cursor may become.
type completion struct {
	mark   string // what stays in front of the word, such as @
	items  []command.Completion
	chosen int // -1 for none
	top    int
}

// completionRows is how many of them are shown.
const completionRows = 8

// suggest looks for completions of the word that was just typed, if it is one for
// which people expect them: a command, or a path behind @.
func (s *Screen) suggest() {
	s.input.completion = nil
	before, word := s.input.Word()
	switch {
	case s.input.First() && before == "" && len(word) > 0 && (word[0] == '/' || word[0] == '!'):
		s.offer("", command.Unnoted(command.Complete(word)))
		if len(word) > 1 && word[0] == '/' {
			s.lookUp(command.KindCommand, "", word, false)
		}
	case strings.HasPrefix(word, "@"):
		s.lookUp(command.KindPath, "@", word[1:], false)
		if s.Complete != nil && len(word) > 1 && !strings.ContainsAny(word[1:2], "/~.") {
			s.lookFor(word[1:])
		}
	default:
		if kind := command.Argument(before, s.input.First()); kind != "" {
			s.lookUp(kind, "", word, false)
		}
	}
}

// tab completes the word at the cursor: at once what there is no choice about, else
// from the list. Beside a pasted text it opens that.
func (s *Screen) tab() {
	if s.input.completion != nil {
		s.input.completion.move(1)
		if len(s.input.completion.items) == 1 {
			s.accept()
		}
		return
	}
	if s.input.OpenChip() {
		return
	}
	before, word := s.input.Word()
	switch kind, mark := command.Completes(before, word, s.input.First()); kind {
	case "":
	case command.KindCommand:
		if s.Complete == nil || !strings.HasPrefix(word, "/") {
			s.complete("", command.Unnoted(command.Complete(word)))
			return
		}
		s.lookUp(kind, mark, word, true)
	default:
		s.lookUp(kind, mark, word[len(mark):], true)
	}
}

// lookUp asks the program beside the loop; an answer for a word that was changed
// meanwhile is not shown.
func (s *Screen) lookUp(kind command.Kind, mark, prefix string, chosen bool) {
	if s.Complete == nil {
		return
	}
	dir := s.view.Dir
	apart(s, func() func() {
		items := s.Complete(kind, dir, prefix)
		if kind == command.KindCommand {
			items = append(command.Unnoted(command.Complete(prefix)), items...)
		}
		return func() {
			if _, word := s.input.Word(); word != mark+prefix {
				return
			}
			if chosen {
				s.complete(mark, items)
			} else {
				s.offer(mark, items)
			}
			s.frame.dirty, s.frame.soon = true, true
		}
	})
}

// lookFor finds files that have the letters of a word, beside the loop, and shows them in
// the place of those that begin with it, but not to somebody who goes through the list.
func (s *Screen) lookFor(word string) {
	dir := s.view.Dir
	apart(s, func() func() {
		found := s.Complete(command.KindFile, dir, word)
		return func() {
			c := s.input.completion
			if _, now := s.input.Word(); now != "@"+word || c != nil && (c.mark != "@" || c.chosen >= 0) {
				return
			}
			s.offer("@", found)
			s.frame.dirty, s.frame.soon = true, true
		}
	})
}

// offer shows completions and chooses none.
func (s *Screen) offer(mark string, items []command.Completion) {
	if len(items) > 0 {
		s.input.completion = &completion{mark: mark, items: items, chosen: -1}
	}
}

// complete puts what all completions have in common, and shows them if they are several.
func (s *Screen) complete(mark string, items []command.Completion) {
	if len(items) == 0 {
		s.say("Nothing completes this", hintTime)
		return
	}
	s.offer(mark, items)
	if len(items) == 1 {
		s.accept()
		return
	}
	common := mark + command.Common(items)
	if _, word := s.input.Word(); len(common) > len(word) && strings.HasPrefix(common, word) {
		s.input.ReplaceWord(common)
	}
}

// accept takes the chosen completion, or the first.
func (s *Screen) accept() {
	item := s.input.completion.items[max(s.input.completion.chosen, 0)].Item
	if !strings.HasSuffix(item, "/") {
		item += " "
	}
	s.input.ReplaceWord(s.input.completion.mark + item)
	s.input.completion = nil
	if strings.HasSuffix(item, "/") {
		s.suggest()
	}
}

// completionKey takes a key while completions are shown. It reports false for one that
// does what it always does.
func (s *Screen) completionKey(name string) bool {
	switch name {
	case "Up", "Shift-Tab":
		s.input.completion.move(-1)
	case "Down":
		s.input.completion.move(1)
	case "Enter":
		if s.input.completion.chosen < 0 {
			return false
		}
		s.accept()
	case "Esc":
		s.input.completion = nil
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

// drawCompletion draws the list above a row and says how many rows it took.
func (s *Screen) drawCompletion(bottom int) int {
	if s.input.completion == nil {
		return 0
	}
	c := s.input.completion
	shown := c.items[c.top:min(c.top+completionRows, len(c.items))]
	shown = shown[:max(min(len(shown), bottom-3), 0)]
	for i, one := range shown {
		item, note := one.Item, one.Note
		row := view.Line{{Role: view.Faint, Text: "  "}, {Role: view.Plain, Text: view.Cut(oneRow(item), max(s.frame.width-16, 1))}}
		if c.top+i == c.chosen {
			row[0] = view.Span{Role: view.Assistant, Text: "▸ "}
		}
		if entry, ok := command.Find(item); ok && c.mark == "" && note == "" {
			note = entry.Help
		}
		if left := s.frame.width - view.Width(row.String()) - 14; note != "" && left > 12 {
			row = append(row, view.Span{Role: view.Faint, Text: strings.Repeat(" ", max(14-view.Width(item), 1)) + view.Cut(oneRow(note), left)})
		}
		if i == len(shown)-1 && c.top+len(shown) < len(c.items) {
			row = append(row, view.Span{Role: view.Faint, Text: "  and more"})
		}
		s.put(bottom-len(shown)+i, row)
	}
	return len(shown)
}
