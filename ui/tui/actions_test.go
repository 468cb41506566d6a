package tui

import (
	"testing"

	"marvin/ui/keymap"
)

// A key of the table without a function would do nothing, and a function without a line
// in the table would have no key.
func TestEveryKeyOfTheTableDoesSomething(t *testing.T) {
	does := actions()
	for _, action := range keymap.Table {
		if does[action.Name] == nil && action.KeysOn(keymap.Screen) != "" {
			t.Errorf("nothing is done for %s", action.Name)
		}
		delete(does, action.Name)
	}
	for name := range does {
		t.Errorf("%s is not in the table of keys", name)
	}
}
