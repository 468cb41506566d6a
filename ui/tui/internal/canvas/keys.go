package canvas

import (
	"strings"

	"github.com/gdamore/tcell/v2"
)

// Chord returns the name of a key with its modifiers, such as Ctrl-C, Alt-Enter or Alt-b. It
// returns "" for a printable key without modifiers.
func Chord(event *tcell.EventKey) string {
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
		name, mods = string(rune(key)+'@'), mods|tcell.ModCtrl // such as 0x01 for Ctrl-A
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

// Printable returns the key-binding name of a printable key, such as "a" or "Space".
func Printable(event *tcell.EventKey) string {
	if event.Rune() == ' ' {
		return "Space"
	}
	return string(event.Rune())
}
