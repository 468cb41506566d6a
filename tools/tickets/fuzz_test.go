package tickets

import (
	"strings"
	"testing"
)

func FuzzTicket(f *testing.F) {
	f.Add("---\nid: cat-3n5i\nstatus: open\ndeps: [cat-0ben, x]\n---\n# Title\n\nBody\nstatus: closed\n", "closed")
	f.Add("---\r\nid: a\r\nstatus: open\r\n---\r\n# T\r\n", "in_progress")
	f.Add("---\nid: a\n", "x")
	f.Fuzz(func(t *testing.T, content, status string) {
		before, ok := parse("a.md", content)
		if !ok || value(status) == "" {
			return
		}
		status = value(status)
		changed := set(content, "status", status)
		after, ok := parse("a.md", changed)
		if !ok || after.status != strings.TrimSpace(status) && strings.Count(content, "\nstatus:") < 2 {
			t.Fatalf("%q became %q, whose status is %q", content, changed, after.status)
		}
		after.status = before.status
		if after.id != before.id || after.title != before.title || after.parent != before.parent {
			t.Errorf("%q became %q", content, changed)
		}
	})
}
