package keymap

// Place is where a key does what it does.
type Place uint8

// The places. While the person reads, keys of typing that have no meaning of their own
// there keep theirs.
const (
	Typing Place = iota
	Reading
)

// Surface is what the keys are for.
type Surface uint8

// The surfaces.
const (
	Screen Surface = iota // the full screen
	Lines                 // plain lines, where they can be edited
)

// Action is what keys can do. Its name is what people write into their configuration.
type Action struct {
	Place  Place
	Name   string
	What   string
	screen string // its keys there, with spaces between; "" for none
	lines  string
}

// On are an action's default keys on a surface.
func (a Action) On(surface Surface) string {
	if surface == Lines {
		return a.lines
	}
	return a.screen
}

// Table is every action, in the order in which people read it.
var Table = [...]Action{
	{Typing, "send", "send the prompt, or carry out the command", "Enter", "Enter"},
	{Typing, "newline", "begin a new line", "Ctrl-J Shift-Enter", "Ctrl-J Alt-Enter"},
	{Typing, "later", "send it after the running turn; else begin a new line", "Alt-Enter", ""},
	{Typing, "complete", "complete a command, a path or a name; open a pasted text", "Tab", "Tab"},
	{Typing, "cancel", "end the running turn and keep what was said", "Esc", ""},
	{Typing, "cancel-or-leave", "end the turn, else clear the input, else leave", "Ctrl-C", "Ctrl-C"},
	{Typing, "leave", "leave", "Ctrl-Q", ""},
	{Typing, "leave-or-delete", "leave if nothing is typed, else delete", "Ctrl-D", "Ctrl-D"},
	{Typing, "dequeue", "take the newest waiting prompt back", "Alt-Up", ""},
	{Typing, "editor", "write in your editor", "Ctrl-G", "Ctrl-G"},
	{Typing, "paste-picture", "put the picture of the clipboard into the prompt", "Ctrl-V Alt-v", "Ctrl-V Alt-v"},
	{Typing, "suspend", "back to the shell; fg comes back", "Ctrl-Z", "Ctrl-Z"},
	{Typing, "redraw", "draw the screen anew", "Ctrl-L", ""},
	{Typing, "approve", "the next approval mode: plan, ask, auto, edits (/approve says more)", "F4 Alt-a", ""},
	{Typing, "next-model", "the next model of role default, or of cycle: in config.yaml", "Ctrl-P", "Ctrl-P"},
	{Typing, "next-effort", "have the model think longer, and behind the longest as it does by itself", "Shift-Tab", "Shift-Tab"},
	{Typing, "background", "let the running command go on in the background", "F7 Alt-j", ""},
	{Typing, "plan", "more or less of the plan", "F5 Alt-t", ""},
	{Typing, "help", "show the keys", "F1", ""},
	{Typing, "everything", "find all that can be done in one list: commands, keys, words of your own", "F2", ""},
	{Typing, "page-up", "scroll up a page", "PgUp", ""},
	{Typing, "page-down", "scroll down a page", "PgDn", ""},
	{Typing, "line-up", "scroll up a line", "Shift-Up", ""},
	{Typing, "line-down", "scroll down a line", "Shift-Down", ""},
	{Typing, "top", "to the beginning of the conversation", "Ctrl-Home", ""},
	{Typing, "bottom", "to its end, and follow it", "Ctrl-End", ""},
	{Typing, "home", "beginning of the line, or of the conversation", "Home", ""},
	{Typing, "end", "end of the line, or of the conversation", "End", ""},
	{Typing, "prompt-up", "to the prompt before", "Ctrl-Up Alt-p", ""},
	{Typing, "prompt-down", "to the prompt after", "Ctrl-Down Alt-n", ""},
	{Typing, "find", "find in the conversation", "Ctrl-F", ""},
	{Typing, "read", "go through the conversation block by block", "F3 Alt-r", ""},
	{Typing, "results", "fold or unfold the results of all tools, and long prompts", "Ctrl-O", ""},
	{Typing, "thoughts", "fold or unfold all reasoning", "Ctrl-T", ""},
	{Typing, "copy-answer", "copy the last answer", "Alt-c", ""},
	{Typing, "copy-code", "copy its last block of code, then the one before", "Alt-x", ""},
	{Typing, "agents", "look at a sub-agent that runs, or stop it alone", "F8", ""},
	{Typing, "mouse", "leave the mouse to the terminal, or take it back", "F6", ""},
	{Typing, "left", "left", "Left Ctrl-B", "Left Ctrl-B"},
	{Typing, "right", "right", "Right", "Right Ctrl-F"},
	{Typing, "up", "up, or the entry before", "Up", "Up Alt-p"},
	{Typing, "down", "down, or the entry after", "Down", "Down Alt-n Ctrl-N"},
	{Typing, "older", "the entry before", "", ""},
	{Typing, "newer", "the entry after", "Ctrl-N", ""},
	{Typing, "search", "search what was sent before", "Ctrl-R", "Ctrl-R"},
	{Typing, "word-left", "left by a word", "Ctrl-Left Alt-b Alt-Left", "Alt-b"},
	{Typing, "word-right", "right by a word", "Ctrl-Right Alt-f Alt-Right", "Alt-f"},
	{Typing, "line-start", "beginning of the line", "Ctrl-A", "Home Ctrl-A"},
	{Typing, "line-end", "end of the line", "Ctrl-E", "End Ctrl-E"},
	{Typing, "backspace", "delete the character before", "Backspace Ctrl-H", "Backspace"},
	{Typing, "delete", "delete the character after", "Delete", "Delete"},
	{Typing, "kill-to-end", "cut to the end of the line", "Ctrl-K", "Ctrl-K"},
	{Typing, "kill-to-start", "cut to its beginning", "Ctrl-U", "Ctrl-U"},
	{Typing, "kill-word-left", "cut the word before", "Ctrl-W Alt-Backspace Ctrl-Backspace", "Ctrl-W Alt-Backspace"},
	{Typing, "kill-word-right", "cut the word after", "Alt-d", "Alt-d"},
	{Typing, "yank", "put what was cut", "Ctrl-Y", "Ctrl-Y"},
	{Typing, "yank-older", "put what was cut before that instead", "Alt-y", "Alt-y"},
	{Typing, "undo", "undo", "Ctrl-_", "Ctrl-_"},
	{Typing, "redo", "redo", "Alt-_", "Alt-_"},

	{Reading, "block-up", "the block before", "Up k", ""},
	{Reading, "block-down", "the block after", "Down j", ""},
	{Reading, "fold", "fold or unfold the block", "Enter Space", ""},
	{Reading, "copy", "copy the block", "y c", ""},
	{Reading, "copy-its-code", "copy its last block of code, then the one before", "Y x", ""},
	{Reading, "open-change", "open a change in your editor, where it begins", "e", ""},
	{Reading, "find-here", "find", "/", ""},
	{Reading, "find-up", "the next one found, upwards", "n", ""},
	{Reading, "find-down", "the next one found, downwards", "N", ""},
	{Reading, "prompt-before", "to the prompt before", "[", ""},
	{Reading, "prompt-after", "to the prompt after", "]", ""},
	{Reading, "stop-reading", "back to the input", "Esc i q F3", ""},
	{Reading, "keys", "show the keys", "?", ""},
}

// Fixed are keys that cannot be changed, and where they apply: hints on the screen name them.
var Fixed = [...]struct{ Where, Keys, What string }{
	{"A question", "y n a, Left Right Enter", "answer; Esc is no"},
	{"A question", "i", "no, and say what to do instead"},
	{"A question", "v", "look at what it is about"},
	{"A question", "PgUp PgDn Up Down", "read all of it"},
	{"A question with options", "1 … 9, Up Down, Space, Enter", "choose; letters begin an answer of your own"},
	{"A plan", "e a c n", "do it and run edits, do it asking, change it, no"},
	{"A list", "Up Down PgUp PgDn, Enter, Esc", "go through, choose, close; letters search"},
	{"Completion", "Up Down Tab, Enter, Esc", "go through, take, close"},
	{"Find", "Up Down, Enter, Esc", "the one before and after, read there, end"},
	{"The input with editing: vim", "Esc", "letters are commands; Esc there does what it always does"},
	{"The input with editing: vim, commands", "h l w b e 0 ^ $, W B E, j k", "move; j and k go on into the history"},
	{"The input with editing: vim, commands", "/ ?", "search what was sent before"},
	{"The input with editing: vim, commands", "i a I A o O", "type again"},
	{"The input with editing: vim, commands", "x X D C s S Y r, p P, u Ctrl-R", "change, put what was cut, undo, redo"},
	{"The input with editing: vim, commands", "d c y and a motion, dd cc yy", "delete, change, copy; numbers in front count"},
	{"The conversation", "the mouse", "a click unfolds, the wheel scrolls, and words that it is drawn over are copied; with Shift it is the terminal's"},
	{"Search in what was sent", "Ctrl-R, Enter, Esc", "an older one, take it, end"},
}
