package keymap

// Place is a part of the screen in which keys have their own actions.
type Place uint8

// While the user reads the conversation, a key's [Reading] action takes precedence over its
// [Typing] action. Keys that type characters run no [Typing] actions.
const (
	Typing Place = iota
	Reading
)

// Surface is a front end that has key bindings.
type Surface uint8

// The surfaces.
const (
	Screen Surface = iota // the full screen
	Lines                 // plain mode with an editable input line
)

// Action is something that the user can do with a key. The configuration refers to an action by its
// name.
type Action struct {
	Place  Place
	Name   string
	What   string
	screen string // default keys on the full screen, separated by spaces; "" for none
	lines  string // default keys in plain mode
}

// KeysOn returns the action's default keys for the surface, separated by spaces.
func (a Action) KeysOn(surface Surface) string {
	if surface == Lines {
		return a.lines
	}
	return a.screen
}

// Table lists all actions in the order of the printed table.
var Table = [...]Action{
	{Typing, "send", "send the prompt, or run the command", "Enter", "Enter"},
	{Typing, "newline", "insert a new line", "Ctrl-J Shift-Enter", "Ctrl-J Alt-Enter"},
	{Typing, "later", "send the prompt after the running turn; if no turn is running, insert a new line", "Alt-Enter", ""},
	{Typing, "complete", "complete a command, a path or a name; open a pasted text", "Tab", "Tab"},
	{Typing, "cancel", "stop the running turn and keep the answer so far", "Esc", ""},
	{Typing, "cancel-or-leave", "stop the turn; if no turn is running, clear the input; if the input is empty, leave Marvin", "Ctrl-C", "Ctrl-C"},
	{Typing, "leave", "leave Marvin", "Ctrl-Q", ""},
	{Typing, "leave-or-delete", "leave Marvin if the input is empty; otherwise delete the character at the cursor", "Ctrl-D", "Ctrl-D"},
	{Typing, "dequeue", "edit the newest waiting prompt", "Alt-Up", ""},
	{Typing, "editor", "edit the input in your editor", "Ctrl-G", "Ctrl-G"},
	{Typing, "paste-picture", "paste a picture from the clipboard", "Ctrl-V Alt-v", "Ctrl-V Alt-v"},
	{Typing, "suspend", "return to the shell; type fg to resume Marvin", "Ctrl-Z", "Ctrl-Z"},
	{Typing, "redraw", "redraw the screen", "Ctrl-L", ""},
	{Typing, "approve", "switch to the next approval mode: plan, ask, auto, edits (see /approve)", "F4 Alt-a", ""},
	{Typing, "next-model", "switch to the next model in the list \"cycle\" or in the role \"default\"", "Ctrl-P", "Ctrl-P"},
	{Typing, "next-effort", "make the model think longer; after the highest level, return to the default", "Shift-Tab", "Shift-Tab"},
	{Typing, "background", "move the running command to the background", "F7 Alt-j", ""},
	{Typing, "plan", "expand or shrink the plan", "F5 Alt-t", ""},
	{Typing, "help", "show the keys", "F1", ""},
	{Typing, "everything", "search all commands and keys in one list", "F2", ""},
	{Typing, "page-up", "scroll up a page", "PgUp", ""},
	{Typing, "page-down", "scroll down a page", "PgDn", ""},
	{Typing, "line-up", "scroll up a line", "Shift-Up", ""},
	{Typing, "line-down", "scroll down a line", "Shift-Down", ""},
	{Typing, "top", "go to the beginning of the conversation", "Ctrl-Home", ""},
	{Typing, "bottom", "go to the end of the conversation, and follow new text", "Ctrl-End", ""},
	{Typing, "home", "go to the start of the line; if the input is empty, to the start of the conversation", "Home", ""},
	{Typing, "end", "go to the end of the line; if the input is empty, to the end of the conversation", "End", ""},
	{Typing, "prompt-up", "previous prompt", "Ctrl-Up Alt-p", ""},
	{Typing, "prompt-down", "next prompt", "Ctrl-Down Alt-n", ""},
	{Typing, "find", "search in the conversation", "Ctrl-F", ""},
	{Typing, "read", "read the conversation block by block", "F3 Alt-r", ""},
	{Typing, "results", "fold or unfold all tool results and long prompts", "Ctrl-O", ""},
	{Typing, "thoughts", "fold or unfold the model's thinking", "Ctrl-T", ""},
	{Typing, "copy-answer", "copy the last answer", "Alt-c", ""},
	{Typing, "copy-code", "copy the last code block of the answer; press again to copy the block before it", "Alt-x", ""},
	{Typing, "agents", "watch a running sub-agent, or stop it", "F8", ""},
	{Typing, "mouse", "let the terminal handle the mouse, or let Marvin handle it again", "F6", ""},
	{Typing, "left", "move left", "Left Ctrl-B", "Left Ctrl-B"},
	{Typing, "right", "move right", "Right", "Right Ctrl-F"},
	{Typing, "up", "move up, or go to the previous entry", "Up", "Up Alt-p"},
	{Typing, "down", "move down, or go to the next entry", "Down", "Down Alt-n Ctrl-N"},
	{Typing, "older", "previous entry", "", ""},
	{Typing, "newer", "next entry", "Ctrl-N", ""},
	{Typing, "search", "search earlier prompts", "Ctrl-R", "Ctrl-R"},
	{Typing, "word-left", "move left by a word", "Ctrl-Left Alt-b Alt-Left", "Alt-b"},
	{Typing, "word-right", "move right by a word", "Ctrl-Right Alt-f Alt-Right", "Alt-f"},
	{Typing, "line-start", "go to the start of the line", "Ctrl-A", "Home Ctrl-A"},
	{Typing, "line-end", "go to the end of the line", "Ctrl-E", "End Ctrl-E"},
	{Typing, "backspace", "delete the character before the cursor", "Backspace Ctrl-H", "Backspace"},
	{Typing, "delete", "delete the character at the cursor", "Delete", "Delete"},
	{Typing, "kill-to-end", "cut to the end of the line", "Ctrl-K", "Ctrl-K"},
	{Typing, "kill-to-start", "cut to the start of the line", "Ctrl-U", "Ctrl-U"},
	{Typing, "kill-word-left", "cut the word before the cursor", "Ctrl-W Alt-Backspace Ctrl-Backspace", "Ctrl-W Alt-Backspace"},
	{Typing, "kill-word-right", "cut the word after the cursor", "Alt-d", "Alt-d"},
	{Typing, "yank", "paste the cut text", "Ctrl-Y", "Ctrl-Y"},
	{Typing, "yank-older", "replace the pasted text with text that you cut earlier", "Alt-y", "Alt-y"},
	{Typing, "undo", "undo", "Ctrl-_", "Ctrl-_"},
	{Typing, "redo", "redo", "Alt-_", "Alt-_"},

	{Reading, "block-up", "previous block", "Up k", ""},
	{Reading, "block-down", "next block", "Down j", ""},
	{Reading, "fold", "fold or unfold the block", "Enter Space", ""},
	{Reading, "copy", "copy the block", "y c", ""},
	{Reading, "copy-its-code", "copy the last piece of code in the block; press again to copy the piece before it", "Y x", ""},
	{Reading, "open-change", "open a change in your editor", "e", ""},
	{Reading, "find-here", "find", "/", ""},
	{Reading, "find-up", "next match upwards", "n", ""},
	{Reading, "find-down", "next match downwards", "N", ""},
	{Reading, "prompt-before", "previous prompt", "[", ""},
	{Reading, "prompt-after", "next prompt", "]", ""},
	{Reading, "stop-reading", "return to the input", "Esc i q F3", ""},
	{Reading, "keys", "show the keys", "?", ""},
}

// fixed contains the keys that users cannot change. Hints on the screen mention these keys.
var fixed = [...]struct{ Where, Keys, What string }{
	{"A question", "y n a, Left Right Enter", "choose the answer; Esc answers no"},
	{"A question", "i", "answer no, and type what to do instead"},
	{"A question", "v", "show details"},
	{"A question", "PgUp PgDn Up Down", "scroll the question"},
	{"A question with options", "1 … 9, Up Down, Space, Enter", "choose an option; type to give your own answer"},
	{"A plan", "e a c n", "carry out the plan without asking about edits; carry out the plan and ask; change the plan; refuse the plan"},
	{"A list", "Up Down PgUp PgDn, Enter, Esc", "move, choose, close; type to search"},
	{"Completion", "Up Down Tab, Enter, Esc", "move, accept, close the list"},
	{"Find", "Up Down, Enter, Esc", "go to the previous or next match; start reading at the match; close the search"},
	{"Vim insert mode", "Esc", "switch to normal mode; in normal mode, Esc works as usual"},
	{"Vim normal mode", "h l w b e 0 ^ $, W B E, j k", "move the cursor; on the first or last line, j and k show other prompts"},
	{"Vim normal mode", "/ ?", "search earlier prompts"},
	{"Vim normal mode", "i a I A o O", "switch to insert mode"},
	{"Vim normal mode", "x X D C s S Y r, p P, u Ctrl-R", "delete, change, copy; paste; undo, redo"},
	{"Vim normal mode", "d c y and a motion, dd cc yy", "delete, change, copy; a number before a command repeats the command"},
	{"The conversation", "the mouse", "click to unfold, turn the wheel to scroll, drag to copy; hold Shift to let the terminal select"},
	{"Search in earlier prompts", "Ctrl-R, Enter, Esc", "go to an older match; accept the match; close the search"},
}
