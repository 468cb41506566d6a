package tui

import "marvin/ui/view"

// action is what a key can do. Its name is what people write into their configuration.
type action struct {
	name string
	what string
	keys string // by default, with spaces between
	do   func(*Screen)
}

// everywhere is what keys do while something is typed, and in reading too where
// reading has nothing of its own for the key.
func everywhere() []action {
	return []action{
		{"send", "send the prompt, or carry out the command", "Enter", (*Screen).enter},
		{"newline", "begin a new line", "Ctrl-J Shift-Enter", func(s *Screen) { s.input.Insert("\n") }},
		{"later", "send it after the running turn; else begin a new line", "Alt-Enter", (*Screen).later},
		{"complete", "complete a command, a path or a name; open a pasted text", "Tab", (*Screen).tab},
		{"cancel", "end the running turn and keep what was said", "Esc", (*Screen).cancel},
		{"cancel-or-leave", "end the turn, else clear the input, else leave", "Ctrl-C", (*Screen).interrupt},
		{"leave", "leave", "Ctrl-Q", (*Screen).leave},
		{"leave-or-delete", "leave if nothing is typed, else delete", "Ctrl-D", (*Screen).leaveOrDelete},
		{"dequeue", "take the newest waiting prompt back", "Alt-Up", (*Screen).dequeue},
		{"editor", "write in your editor", "Ctrl-G", (*Screen).edit},
		{"suspend", "back to the shell; fg comes back", "Ctrl-Z", (*Screen).stop},
		{"redraw", "draw the screen anew", "Ctrl-L", func(s *Screen) { s.screen.Sync() }},
		{"approve", "the next approval mode: plan, ask, auto, edits (/approve says more)", "F4 Alt-a", func(s *Screen) { s.engine.NextApproval() }},
		{"plan", "more or less of the plan", "F5 Alt-t", func(s *Screen) { s.plan = (s.plan + 1) % planSizes }},
		{"help", "show the keys", "F1", func(s *Screen) { s.overlay = &overlay{} }},

		{"page-up", "scroll up a page", "PgUp", func(s *Screen) { s.window.Scroll(-max(s.frame.page-2, 1)) }},
		{"page-down", "scroll down a page", "PgDn", func(s *Screen) { s.window.Scroll(max(s.frame.page-2, 1)) }},
		{"line-up", "scroll up a line", "Shift-Up", func(s *Screen) { s.window.Scroll(-1) }},
		{"line-down", "scroll down a line", "Shift-Down", func(s *Screen) { s.window.Scroll(1) }},
		{"top", "to the beginning of the conversation", "Ctrl-Home", func(s *Screen) { s.window.Home() }},
		{"bottom", "to its end, and follow it", "Ctrl-End", func(s *Screen) { s.window.End() }},
		{"home", "beginning of the line, or of the conversation", "Home", (*Screen).home},
		{"end", "end of the line, or of the conversation", "End", (*Screen).end},
		{"prompt-up", "to the prompt before", "Ctrl-Up Alt-p", (*Screen).promptUp},
		{"prompt-down", "to the prompt after", "Ctrl-Down Alt-n", func(s *Screen) { s.window.Prompt(1) }},
		{"find", "find in the conversation", "Ctrl-F", (*Screen).find},
		{"read", "go through the conversation block by block", "Shift-Tab", (*Screen).read},
		{"results", "fold or unfold the results of all tools", "Ctrl-O", func(s *Screen) { s.window.ToggleAll(view.Call) }},
		{"thoughts", "fold or unfold all reasoning", "Ctrl-T", func(s *Screen) { s.window.ToggleAll(view.Thinking) }},
		{"copy-answer", "copy the last answer", "Alt-c", (*Screen).copyBlock},
		{"copy-code", "copy its last block of code, then the one before", "Alt-x", (*Screen).copyCode},
		{"mouse", "let the mouse select text, or scroll again", "F6", (*Screen).toggleMouse},

		{"left", "left", "Left Ctrl-B", func(s *Screen) { s.input.Left() }},
		{"right", "right", "Right", func(s *Screen) { s.input.Right() }},
		{"up", "up, or the entry before", "Up", (*Screen).up},
		{"down", "down, or the entry after", "Down", (*Screen).down},
		{"older", "the entry before", "Ctrl-P", (*Screen).older},
		{"newer", "the entry after", "Ctrl-N", (*Screen).newer},
		{"search", "search what was sent before", "Ctrl-R", (*Screen).searchBack},
		{"word-left", "left by a word", "Ctrl-Left Alt-b Alt-Left", func(s *Screen) { s.input.WordLeft() }},
		{"word-right", "right by a word", "Ctrl-Right Alt-f Alt-Right", func(s *Screen) { s.input.WordRight() }},
		{"line-start", "beginning of the line", "Ctrl-A", func(s *Screen) { s.input.LineStart() }},
		{"line-end", "end of the line", "Ctrl-E", func(s *Screen) { s.input.LineEnd() }},
		{"backspace", "delete the character before", "Backspace Ctrl-H", func(s *Screen) { s.input.Backspace() }},
		{"delete", "delete the character after", "Delete", func(s *Screen) { s.input.Delete() }},
		{"kill-to-end", "cut to the end of the line", "Ctrl-K", func(s *Screen) { s.input.KillToEnd() }},
		{"kill-to-start", "cut to its beginning", "Ctrl-U", func(s *Screen) { s.input.KillToStart() }},
		{"kill-word-left", "cut the word before", "Ctrl-W Alt-Backspace Ctrl-Backspace", func(s *Screen) { s.input.KillWordLeft() }},
		{"kill-word-right", "cut the word after", "Alt-d", func(s *Screen) { s.input.KillWordRight() }},
		{"yank", "put what was cut", "Ctrl-Y", func(s *Screen) { s.input.Yank() }},
		{"yank-older", "put what was cut before that instead", "Alt-y", func(s *Screen) { s.input.YankOlder() }},
		{"undo", "undo", "Ctrl-_", func(s *Screen) { s.input.Undo() }},
		{"redo", "redo", "Alt-_", func(s *Screen) { s.input.Redo() }},
	}
}

// inReading is what keys do besides while the person goes through the conversation.
func inReading() []action {
	return []action{
		{"block-up", "the block before", "Up k", func(s *Screen) { s.window.MoveFocus(-1) }},
		{"block-down", "the block after", "Down j", func(s *Screen) { s.window.MoveFocus(1) }},
		{"fold", "fold or unfold the block", "Enter Space", (*Screen).foldFocused},
		{"copy", "copy the block", "y c", (*Screen).copyBlock},
		{"copy-its-code", "copy its last block of code, then the one before", "Y x", (*Screen).copyCode},
		{"find-here", "find", "/", (*Screen).find},
		{"find-up", "the next one found, upwards", "n", func(s *Screen) { s.findNext(-1) }},
		{"find-down", "the next one found, downwards", "N", func(s *Screen) { s.findNext(1) }},
		{"prompt-before", "to the prompt before", "[", (*Screen).promptUp},
		{"prompt-after", "to the prompt after", "]", func(s *Screen) { s.window.Prompt(1) }},
		{"stop-reading", "back to the input", "Esc i q Shift-Tab", (*Screen).stopReading},
		{"keys", "show the keys", "?", func(s *Screen) { s.overlay = &overlay{} }},
	}
}

func (s *Screen) home() {
	if s.input.Empty() {
		s.window.Home()
	} else {
		s.input.LineStart()
	}
}

func (s *Screen) end() {
	if s.input.Empty() {
		s.window.End()
	} else {
		s.input.LineEnd()
	}
}
