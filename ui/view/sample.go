package view

import "marvin/ui/internal/highlight"

// Sample returns an example of each role, for choosing colors.
func Sample(width int) []Line {
	code := highlight.New("go")
	code.Add(`  func add(a int) error { return fmt.Errorf("no %d", 42) } // a comment`)
	rows := []Line{
		{{Role: Band, Text: "› "}, {Role: User, Text: "Your prompt"}},
		{{Role: Assistant, Text: "● "}, {Role: Plain, Text: "The answer, with "}, {Role: Strong, Text: "bold text"}, {Role: Plain, Text: ", a "}, {Role: Snippet, Text: "name"}, {Role: Plain, Text: ", a "}, {Role: Link, Text: "link"}, {Role: Faint, Text: " and a remark"}},
		{{Role: Added, Text: "✓ "}, {Role: Plain, Text: "succeeded"}, {Role: Problem, Text: "  ✗ failed"}, {Role: System, Text: "  • a notice"}},
	}
	rows = append(rows, codeRows(code.Rest(), true, max(width, 1))[0],
		Line{{Role: RemovedGround, Text: "  "}, {Role: Removed, Text: "- "}, {Role: Plain, Text: "a line "}, {Role: RemovedWord, Text: "removed"}},
		Line{{Role: AddedGround, Text: "  "}, {Role: Added, Text: "+ "}, {Role: Plain, Text: "a line "}, {Role: AddedWord, Text: "added"}})
	for i, row := range rows {
		if row[0].Text != "" { // not a code row, which begins with an empty span and already fits
			rows[i] = Fold(row, max(width, 1))[0]
		}
	}
	return rows
}
