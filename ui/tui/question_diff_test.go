package tui

import (
	"strings"
	"testing"

	"marvin/messages"
)

// A question about an edit shows the change with numbers of lines, behind why it is asked.
// What only looks like a diff in another question stays text.
func TestAQuestionShowsTheChange(t *testing.T) {
	const change = "--- a/a.txt\n+++ b/a.txt\n@@ -7,1 +7,1 @@\n-two\n+2\n"
	rows := func(diff bool) string {
		q := question{asked: messages.Asked{Tool: "apply_patch", Detail: "a rule wants it\n" + change, Diff: diff}}
		var text strings.Builder
		for _, row := range q.body(60) {
			for _, span := range row {
				text.WriteString(span.Text)
			}
			text.WriteByte('\n')
		}
		return text.String()
	}
	if got := rows(true); !strings.HasPrefix(got, "a rule wants it\na.txt\n") || !strings.Contains(got, "7   - two") || !strings.Contains(got, "  7 + 2") {
		t.Errorf("a change is shown as:\n%s", got)
	}
	if got := rows(false); strings.TrimSpace(got) != "a rule wants it\n"+strings.TrimSpace(change) {
		t.Errorf("text is shown as:\n%s", got)
	}
}
