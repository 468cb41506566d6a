package tui

import (
	"github.com/gdamore/tcell/v2"

	"marvin/ui/lineedit"
)

// vimKey gives a key to the keys of vi. It reports false for one that does what it always
// does, such as Esc where letters are commands already.
func vimKey(s *Screen, name string, event *tcell.EventKey) bool {
	typed := name == ""
	if typed {
		name = string(event.Rune())
	}
	wish, taken := s.input.vim.Key(&s.input.Editor, name, typed)
	if !taken {
		return false
	}
	s.input.complete.open = nil
	for range wish.Times {
		s.actions[wish.Action](s)
	}
	s.input.vim.Settle(&s.input.Editor)
	return true
}

// commanding says whether letters are commands, which are no paste however fast they come.
func commanding(s *Screen) bool {
	return s.input.vim != nil && s.input.vim.Normal() && s.input.burst.due().IsZero()
}

// vimMode is the mode in a word or two; "" without the keys of vi.
func (w *writing) vimMode() string {
	switch {
	case w.vim == nil:
		return ""
	case w.vim.Normal():
		return "vim normal"
	}
	return "vim insert"
}

// cancelKeys are the keys that end what runs: where Esc leaves the typing first, it takes
// two of them.
func cancelKeys(s *Screen) string {
	key := s.keys.First("cancel")
	if key == "Esc" && s.input.vim != nil && !s.input.vim.Normal() {
		return "Esc Esc"
	}
	return key
}

// Reset begins a new text, which is typed.
func (w *writing) Reset() {
	w.Editor.Reset()
	if w.vim != nil {
		*w.vim = lineedit.Vim{}
	}
}
