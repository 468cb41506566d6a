package cli

import (
	"fmt"
	"strings"
	"testing"
)

func TestWarningsBesideFullScreen(t *testing.T) {
	var out strings.Builder
	beside := &TranscriptWriter{Out: &out}
	fmt.Fprint(beside, "warning: odd\n")
	fmt.Fprint(beside, "only now\n")
	ReportConversation(World{Stderr: beside}, "a conversation goes on")
	lines := beside.Begin()
	beside.Repeat()
	beside.Repeat()
	if first, second := <-lines, <-lines; first != "warning: odd" || second != "a conversation goes on" || len(lines) != 0 {
		t.Errorf("%q, %q, %d more", first, second, len(lines))
	}
	for i := range asideLines + 5 {
		if n, err := fmt.Fprintf(beside, "line %d\n\n", i); err != nil || n < 8 {
			t.Errorf("%d, %v", n, err)
		}
	}
	if len(lines) != asideLines {
		t.Errorf("%d lines wait", len(lines))
	}
	beside.End()
	fmt.Fprint(beside, "behind it\n")
	if text := out.String(); !strings.HasPrefix(text, "warning: odd\nonly now\na conversation goes on\nline 0\nline 1\n") || !strings.HasSuffix(text, "\nline 63\nbehind it\n") {
		t.Errorf("%q", text)
	}
}
