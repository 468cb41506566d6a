package plain

import (
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

// What a tool says while it runs, and what a model said before, has no colours, whatever it
// begins with: they are for what Marvin says.
func TestWordsOfOthersHaveNoColours(t *testing.T) {
	var screen strings.Builder
	tell := teller{out: &output{stdout: &screen, line: &line{}, colours: Sixteen}}
	tell.progress(messages.ToolOutput{Chunk: "✗ not really"}, time.Now())
	tell.recalled(messages.Recalled{Prompt: "go", Steps: []messages.RecalledStep{{Text: "[Error] said"}}, Err: "it broke"}, false)
	if got, want := screen.String(), "  ✗ not really\n\x1b[1m> \x1b[0mgo\n[Error] said\n\x1b[31mError:\x1b[0m it broke\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
