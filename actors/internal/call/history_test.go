package call

import (
	"strings"
	"testing"

	"marvin/messages"
)

// An earlier turn as text shows its messages, calls and results.
func TestATurnAsText(t *testing.T) {
	said := []messages.Message{
		{Role: messages.User, Text: " go \n"},
		{Role: messages.Assistant, Text: " ", Calls: []messages.ToolCall{{Name: "a", Args: []byte(`{"x":1}`)}, {Name: "b"}}},
		{Role: messages.Tool, Result: messages.ToolResult{Name: "a", Status: messages.OK, Text: "seen\n"}},
		{Role: messages.Assistant, Text: "done\n"},
		{Role: messages.User, Text: "more"},
	}
	turns := turnsOf(said)
	if len(turns) != 2 || len(turns[0]) != 4 || len(turns[1]) != 1 || len(turnsOf(nil)) != 0 || len(turnsOf(said[1:])) != 2 {
		t.Fatalf("%d turns", len(turns))
	}
	const want = "## user\ngo\n\n## Call of a\n{\"x\":1}\n\n## Call of b\n\n\n## Result of a (ok)\nseen\n\n## Assistant\ndone\n\n"
	if got := transcribed(turns[0]); got != want {
		t.Errorf("%q", got)
	}
	past := earlier{known: said}
	for number, want := range map[int]string{0: "", 1: "## user\ngo", 2: "## user\nmore\n\n", 3: ""} {
		text, count, err := past.turn(t.Context(), number)
		if err != nil || count != 2 || !strings.HasPrefix(text, want) || want == "" && text != "" {
			t.Errorf("turn %d: %q of %d, %v", number, text, count, err)
		}
	}
}
