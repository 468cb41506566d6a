package view_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/ui/view"
)

// What is copied of each row of all that a conversation may have, of a part of it, of two of
// them, and of the word in its middle stands in this file; UPDATE_GOLDEN=1 writes it anew.
func TestGoldenWhatIsCopied(t *testing.T) {
	var all strings.Builder
	for _, width := range []int{34, 150} {
		v := shown(later(t)...)
		window := &view.Window{Results: true, Thoughts: true}
		rows := window.Show(v.Blocks, width, 1000, start.Add(time.Minute))
		selection := &view.Selection{Window: window}
		copied := func(fromRow, fromCell, toRow, toCell int) string {
			selection.Select(selection.SpotAt(fromRow, fromCell), selection.SpotAt(toRow, toCell))
			words, _ := selection.Words()
			return words
		}
		fmt.Fprintf(&all, "== %d cells, %d rows\n", width, len(rows))
		for row := range rows {
			fmt.Fprintf(&all, "%q\n  all %q, some %q, with the next %q, with the one before %q", rows[row].String(), copied(row, 0, row, 1000), copied(row, 4, row, 9), copied(row, 0, row+1, 1000), copied(row, 3, row-1, 2))
			if selection.Word(selection.SpotAt(row, 6)) {
				words, _ := selection.Words()
				fmt.Fprintf(&all, ", a word %q", words)
			}
			fmt.Fprintf(&all, "\n  painted %s", drawing([]view.Line{selection.Paint(row, rows[row])}))
		}
		fmt.Fprintf(&all, "whole %q\n", copied(0, 0, len(rows), 0))
	}
	goldentest.Hold(t, "copied.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
