package plain

import (
	"fmt"
	"strings"

	"marvin/ui/slash"
)

// mostListed is the maximum number of listed completions.
const mostListed = 40

// complete extends the word at the cursor to the longest common prefix of its completions. If the
// word cannot be extended, complete lists the completions. If the cursor is next to a placeholder,
// complete only replaces the placeholder with the pasted text.
func (s *Screen) complete() {
	if s.line.OpenChip() {
		return
	}
	before, word := s.line.Word()
	kind, mark := slash.KindOfWord(before, word, s.line.First())
	switch {
	case kind == slash.KindCommand && s.Complete != nil:
		dir := s.talk.Dir
		front{s}.Go(func() func() {
			items := slash.Matching(append(slash.WithoutNotes(slash.Complete(word)), s.Complete(kind, dir, word)...), word)
			return func() { s.showCompletions(word, "", items) }
		})
	case kind == slash.KindCommand:
		s.showCompletions(word, "", slash.WithoutNotes(slash.Complete(word)))
	case kind != "" && s.Complete != nil:
		dir := s.talk.Dir
		front{s}.Go(func() func() {
			items := s.Complete(kind, dir, word[len(mark):])
			return func() { s.showCompletions(word, mark, items) }
		})
	}
}

// showCompletions inserts or lists completions. It does nothing if the word at the cursor has
// changed, or if a question is open.
func (s *Screen) showCompletions(word, mark string, items []slash.Completion) {
	if _, now := s.line.Word(); now != word || len(items) == 0 || len(s.talk.Asked) > 0 {
		return
	}
	common := mark + slash.Common(items)
	switch {
	case len(items) == 1 && strings.HasSuffix(common, "/"):
		s.line.ReplaceWord(common)
	case len(items) == 1:
		s.line.CompleteWord(common)
	case len(common) > len(word) && strings.HasPrefix(common, word):
		s.line.ReplaceWord(common)
	default:
		s.quote(joinCompletions(items)) // the input moves below the list
		return
	}
	s.redraw(s.label())
}

func joinCompletions(items []slash.Completion) string {
	var names []string
	for _, one := range items[:min(len(items), mostListed)] {
		names = append(names, one.Item)
	}
	shown := strings.Join(names, "  ")
	if more := len(items) - mostListed; more > 0 {
		shown += fmt.Sprintf("  and %d more", more)
	}
	return shown
}
