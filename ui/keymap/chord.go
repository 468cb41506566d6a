package keymap

import (
	"strings"
	"unicode/utf8"
)

// Read parses the name of a key in any common form, such as ctrl+p, C-p, Alt-Enter or pageup. It
// returns the name that this package uses, or "" if there is no such key.
func Read(text string) string {
	parts := strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '-' || r == '+' })
	if len(parts) == 0 { // the key is "-" or "+"
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

// keyName returns the usual name of a key, or "" if there is no such key.
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
	for _, name := range []string{
		"Tab", "Space", "Up", "Down", "Left", "Right", "Home", "End",
		"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
	} {
		if strings.EqualFold(name, lower) {
			return name
		}
	}
	return ""
}
