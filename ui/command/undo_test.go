package command

import (
	"testing"

	"marvin/messages"
)

// Lists of turns and branches show bare numbers, so a typed number means a turn. A file with such a
// name needs its directory.
func TestATurnIsMeantByItsNumber(t *testing.T) {
	for text, want := range map[string]messages.Undo{
		"":              {},
		"t3":            {Turn: "t3"},
		" 3 ":           {Turn: "t3"},
		"3 a file.go":   {Turn: "t3", Path: "a file.go"},
		"./3":           {Path: "./3"},
		"3d.go":         {Path: "3d.go"},
		"main.go":       {Path: "main.go"},
		"notes of t3":   {Path: "notes of t3"},
		"t3 sub/dir/x ": {Turn: "t3", Path: "sub/dir/x"},
	} {
		if got := parseUndo(text, false); got != want {
			t.Errorf("%q means %+v, not %+v", text, got, want)
		}
	}
}
