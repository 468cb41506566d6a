package lineedit_test

import (
	"testing"

	"marvin/ui/lineedit"
)

func TestTheWordAtTheCursorIsReplaced(t *testing.T) {
	var e lineedit.Editor
	e.SetText("first\nlook at @src/日本 now")
	for range 4 {
		e.Left()
	}
	if before, word := e.Word(); before != "look at " || word != "@src/日本" || e.First() {
		t.Errorf("%q, %q, first line %v", before, word, e.First())
	}
	e.ReplaceWord("@src/日本語.go")
	if e.Text() != "first\nlook at @src/日本語.go now" {
		t.Errorf("%q", e.Text())
	}
	e.Undo()
	if e.Text() != "first\nlook at @src/日本 now" {
		t.Errorf("after undo %q", e.Text())
	}
	e.Start()
	if before, word := e.Word(); before != "" || word != "" || !e.First() {
		t.Errorf("at the start %q, %q", before, word)
	}
}
