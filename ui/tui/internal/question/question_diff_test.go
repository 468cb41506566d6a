package question

import (
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/view"
)

func TestAQuestionShowsTheChange(t *testing.T) {
	const change = "--- a/a.txt\n+++ b/a.txt\n@@ -7,1 +7,1 @@\n-two\n+2\n"
	rows := func(diff bool) string {
		q := Question{Asked: messages.Asked{Tool: "apply_patch", Detail: "a rule wants it\n" + change, Diff: diff}}
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

func TestOnlyTheDirectoryOfACommandIsFaint(t *testing.T) {
	for tool, quiet := range map[string]int{"run_command": 1, "other": 0} {
		q := Question{Asked: messages.Asked{Tool: tool, Detail: "rm -rf /\nin /tmp; true\nin /home/u"}}
		rows, faint := q.body(60), 0
		for i, row := range rows {
			for _, span := range row {
				if span.Role != view.Faint {
					continue
				}
				if faint++; i != len(rows)-1 {
					t.Errorf("%s: %q is faint", tool, span.Text)
				}
			}
		}
		if faint != quiet || len(rows) != 3 {
			t.Errorf("%s: %d of %d rows are faint", tool, faint, len(rows))
		}
	}
}
