package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
)

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
	case key == tcell.KeyBacktab:
		name, mods = "Tab", mods|tcell.ModShift
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

// printable is the name of a printable key, for bindings where nothing is typed.
func printable(event *tcell.EventKey) string {
	if event.Rune() == ' ' {
		return "Space"
	}
	return string(event.Rune())
}

// readChord understands how people write a key: ctrl+p, C-p, Alt-Enter, pageup. It
// gives the name that chord has for it, or "".
func readChord(text string) string {
	parts := strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '-' || r == '+' })
	if len(parts) == 0 { // the key - or + itself
		parts = []string{strings.TrimSpace(text)}
	} else if last := text[len(text)-1]; len(text) > 1 && (last == '-' || last == '+') {
		parts = append(parts, string(last))
	}
	var ctrl, alt, shift bool
	for _, part := range parts[:len(parts)-1] {
		switch strings.ToLower(part) {
		case "ctrl", "control", "c":
			ctrl = true
		case "alt", "meta", "option", "m", "a":
			alt = true
		case "shift", "s":
			shift = true
		default:
			return ""
		}
	}
	name := keyName(parts[len(parts)-1])
	single := utf8.RuneCountInString(name) == 1
	switch {
	case name == "":
		return ""
	case single && ctrl:
		name = strings.ToUpper(name)
	case single && shift:
		name, shift = strings.ToUpper(name), false
	}
	for _, modifier := range []struct {
		on   bool
		name string
	}{{shift, "Shift-"}, {alt, "Alt-"}, {ctrl, "Ctrl-"}} {
		if modifier.on {
			name = modifier.name + name
		}
	}
	return name
}

// keyName is the usual name of a key, "" if there is no such key.
func keyName(text string) string {
	if utf8.RuneCountInString(text) == 1 && text > " " {
		return text
	}
	lower := strings.ToLower(text)
	switch lower {
	case "escape", "esc":
		return "Esc"
	case "return", "enter":
		return "Enter"
	case "pageup", "pgup":
		return "PgUp"
	case "pagedown", "pgdn":
		return "PgDn"
	case "del", "delete":
		return "Delete"
	case "ins", "insert":
		return "Insert"
	case "backspace":
		return "Backspace"
	}
	for _, name := range []string{"Tab", "Space", "Up", "Down", "Left", "Right", "Home", "End",
		"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12"} {
		if strings.EqualFold(name, lower) {
			return name
		}
	}
	return ""
}
