package tui_test

import (
	"strings"
	"testing"

	"marvin/messages"
)

// A change has two columns on a terminal of at least 140 cells, as the manual says, and one column
// on a narrower terminal.
func TestAChangeHasTwoColumnsFrom140CellsOn(t *testing.T) {
	change := "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n-one thing\n+another thing\n same\n"
	for width, columns := range map[int]int{139: 1, 140: 2} {
		talk := newScripted()
		p := sitWith(t, talk, width, 20)
		talk.say(opened, messages.ToolEnded{Call: "1", Name: "apply_patch", Status: messages.OK, Text: "changed", View: &messages.View{Kind: messages.Diff, Text: change}})
		for _, row := range p.sees("one thing", "another thing").rows {
			if strings.Contains(row, "one thing") && strings.Contains(row, "another thing") != (columns == 2) {
				t.Errorf("at %d cells it is\n%s", width, row)
			}
		}
	}
}
