package view

import "marvin/ui/internal/highlight"

// Sample shows a little of everything in a conversation, for choosing colors.
func Sample(width int) []Line {
	code := highlight.New("go")
	code.Add(`  func add(a int) error { return fmt.Errorf("no %d", 42) } // of a sum`)
	rows := []Line{
		{{Role: Band, Text: "› "}, {Role: User, Text: "What you ask"}},
		{{Role: Assistant, Text: "● "}, {Role: Plain, Text: "The answer, with "}, {Role: Strong, Text: "weight"}, {Role: Plain, Text: ", a "}, {Role: Snippet, Text: "name"}, {Role: Plain, Text: ", a "}, {Role: Link, Text: "link"}, {Role: Faint, Text: " and what is said beside it"}},
		{{Role: Added, Text: "✓ "}, {Role: Plain, Text: "went well"}, {Role: Problem, Text: "  ✗ went wrong"}, {Role: System, Text: "  • is to be noticed"}},
	}
	rows = append(rows, codeRows(code.Rest(), true, max(width, 1))[0],
		Line{{Role: RemovedGround, Text: "  "}, {Role: Removed, Text: "- "}, {Role: Plain, Text: "what was "}, {Role: RemovedWord, Text: "there"}},
		Line{{Role: AddedGround, Text: "  "}, {Role: Added, Text: "+ "}, {Role: Plain, Text: "what was "}, {Role: AddedWord, Text: "put"}, {Role: Plain, Text: " there"}})
	for i, row := range rows {
		if row[0].Text != "" { // else it is code, which fits
			rows[i] = Fold(row, max(width, 1))[0]
		}
	}
	return rows
}
