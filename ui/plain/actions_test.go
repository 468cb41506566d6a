package plain

import (
	"slices"
	"testing"

	"marvin/ui/keymap"
)

func TestEveryKeyOfTheTableDoesSomething(t *testing.T) {
	byTheScreen := []string{"send", "complete", "cancel-or-leave", "editor", "suspend", "paste-picture", "next-model", "next-effort"}
	for _, action := range keymap.Table {
		if action.KeysOn(keymap.Lines) == "" || slices.Contains(byTheScreen, action.Name) {
			continue
		}
		var l line
		l.remember([]string{"older", "newest"})
		l.Insert("one two three four five six")
		l.WordLeft()
		l.WordLeft()
		l.WordLeft()
		l.KillWordLeft() // text for yank
		l.Insert("x")
		l.KillWordRight()
		switch action.Name {
		case "redo":
			l.Undo()
		case "yank-older":
			l.Yank()
		case "down":
			l.act("up")
			l.act("up")
		}
		text, search := l.Text(), l.search
		_, row, column := l.Rows(200)
		l.act(action.Name)
		_, rowAfter, columnAfter := l.Rows(200)
		if l.Text() == text && row == rowAfter && column == columnAfter && l.search == search {
			t.Errorf("%s does nothing to %q", action.Name, text)
		}
	}
}
