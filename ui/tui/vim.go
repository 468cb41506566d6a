package tui

import (
	"github.com/gdamore/tcell/v2"

	"marvin/ui/lineedit"
)

// vimKey handles a key press while vi keys are on. It returns false if the key keeps its usual
// action.
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

// commanding is true if letters are vi commands. Vi commands are never treated as a paste, even if
// they arrive very quickly.
func commanding(s *Screen) bool {
	return s.input.vim != nil && s.input.vim.Normal() && s.input.burst.due().IsZero()
}

// vimMode returns the name of the current mode, or "" if the vi keys are off.
func (w *inputState) vimMode() string {
	switch {
	case w.vim == nil:
		return ""
	case w.vim.Normal():
		return "vim normal"
	}
	return "vim insert"
}

// cancelKeys returns the keys that cancel the current work. In vi insert mode, "Esc" becomes
// "Esc Esc", because the first press only leaves insert mode.
func cancelKeys(s *Screen) string {
	key := s.keys.First("cancel")
	if key == "Esc" && s.input.vim != nil && !s.input.vim.Normal() {
		return "Esc Esc"
	}
	return key
}

// Reset clears the input and returns to insert mode.
func (w *inputState) Reset() {
	w.Editor.Reset()
	if w.vim != nil {
		*w.vim = lineedit.Vim{}
	}
}
