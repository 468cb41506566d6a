package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"
)

// bindings says which action a chord is. Printable keys type themselves.
var bindings = map[string]string{
	"Enter":       "send",
	"Ctrl-J":      "newline",
	"Alt-Enter":   "newline",
	"Shift-Enter": "newline",

	"Ctrl-C": "cancel-or-leave",
	"Esc":    "cancel",
	"Ctrl-D": "leave-or-delete",
	"Ctrl-Q": "leave",
	"Ctrl-Z": "suspend",
	"Ctrl-L": "redraw",
	"Ctrl-G": "editor",
	"Ctrl-O": "results",
	"Ctrl-T": "thoughts",
	"F6":     "mouse",
	"Alt-Up": "dequeue",

	"PgUp":       "page-up",
	"PgDn":       "page-down",
	"Shift-Up":   "line-up",
	"Shift-Down": "line-down",
	"Home":       "home",
	"End":        "end",
	"Ctrl-Home":  "top",
	"Ctrl-End":   "bottom",

	"Left":           "left",
	"Right":          "right",
	"Ctrl-B":         "left",
	"Ctrl-F":         "right",
	"Up":             "up",
	"Down":           "down",
	"Ctrl-P":         "older",
	"Ctrl-N":         "newer",
	"Ctrl-R":         "search",
	"Ctrl-Left":      "word-left",
	"Ctrl-Right":     "word-right",
	"Alt-b":          "word-left",
	"Alt-f":          "word-right",
	"Alt-Left":       "word-left",
	"Alt-Right":      "word-right",
	"Ctrl-A":         "line-start",
	"Ctrl-E":         "line-end",
	"Backspace":      "backspace",
	"Ctrl-H":         "backspace",
	"Delete":         "delete",
	"Ctrl-K":         "kill-to-end",
	"Ctrl-U":         "kill-to-start",
	"Ctrl-W":         "kill-word-left",
	"Alt-Backspace":  "kill-word-left",
	"Ctrl-Backspace": "kill-word-left",
	"Alt-d":          "kill-word-right",
	"Ctrl-Y":         "yank",
	"Alt-y":          "yank-older",
	"Ctrl-_":         "undo",
	"Alt-_":          "redo",
	"Tab":            "open-paste",
}

// chord is the name of a key with its modifiers, such as Ctrl-C, Alt-Enter or Alt-b.
// A printable key without modifiers has none.
func chord(event *tcell.EventKey) string {
	key, mods := event.Key(), event.Modifiers()
	name := ""
	switch {
	case key == tcell.KeyRune && mods&(tcell.ModAlt|tcell.ModCtrl|tcell.ModMeta) == 0:
		return ""
	case key == tcell.KeyRune:
		name = string(event.Rune())
	case key < ' ' && key != tcell.KeyEnter && key != tcell.KeyTab && key != tcell.KeyEsc && key != tcell.KeyBackspace:
		name, mods = string(rune(key)+'@'), mods|tcell.ModCtrl // a bare control character
	default:
		name = tcell.KeyNames[key]
		if letter, ok := strings.CutPrefix(name, "Ctrl-"); ok {
			name, mods = letter, mods|tcell.ModCtrl
		}
	}
	prefix := ""
	if mods&tcell.ModCtrl != 0 {
		prefix += "Ctrl-"
	}
	if mods&(tcell.ModAlt|tcell.ModMeta) != 0 {
		prefix += "Alt-"
	}
	if mods&tcell.ModShift != 0 && key != tcell.KeyRune {
		prefix += "Shift-"
	}
	return prefix + name
}
