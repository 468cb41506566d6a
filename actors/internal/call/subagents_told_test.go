package call

import (
	"fmt"
	"strings"
	"testing"

	"marvin/messages"
)

// A user who looks at a sub-agent sees its task and its latest output, up to a limit, without
// control characters.
func TestSubAgentViewShowsTaskAndLastOutput(t *testing.T) {
	var told talkTail
	told.addEvent(messages.Text{}, "\n First")
	told.addEvent(messages.ToolStarted{Name: "tree", Title: "tree cmd"}, " words.")
	told.addEvent(messages.ToolStarted{Name: "look", Title: "around"}, "")
	told.addEvent(messages.ToolStarted{Name: "look"}, "")
	told.addEvent(messages.ToolEnded{Name: "tree", Status: messages.OK, Summary: "3 files"}, "")
	told.addEvent(messages.ToolEnded{Name: "tree", Status: messages.OK}, "")
	told.addEvent(messages.ToolEnded{Name: "run", Status: messages.OK, Exit: 2, Summary: "red \x1b[31m"}, "")
	told.addEvent(messages.ToolEnded{Name: "run", Status: messages.Denied}, "")
	told.addEvent(messages.ToolEnded{Name: "run", Status: messages.OK, Job: "cmd-1", Summary: "left out"}, "")
	told.addEvent(messages.Notice{Text: "careful"}, "")
	told.addEvent(nil, " \n")
	told.addEvent(messages.UsageChanged{}, "Last")
	const want = "> find\n> it\n\nFirst words.\n\n→ tree cmd\n\n→ look around\n\n→ look\n\n✓ tree · 3 files\n\n✓ tree\n\n✗ run · exit 2 · red ‹U+001B›[31m\n\n✗ run · denied\n\n» run · went to the background as job cmd-1\n\n• careful\n\nLast"
	if got := told.text(" find\nit\n"); got != want {
		t.Errorf("%q", got)
	}
	number := told.number
	told.appendLine("one " + strings.Repeat("é", mostTold))
	if last := told.lines[len(told.lines)-1]; len(last) > mostTold/4+len("…") || !strings.HasSuffix(last, "é…") || told.number != number+1 || told.cut {
		t.Errorf("a long line: %d bytes, number %d, cut %v", len(last), told.number, told.cut)
	}
	for i := range 5 {
		told.appendLine(fmt.Sprint(i, strings.Repeat("x", mostTold/4)))
	}
	if text := told.text("task"); !told.cut || told.size > mostTold || !strings.HasPrefix(text, "> task\n\n[… the beginning is left out]\n\n2x") {
		t.Errorf("%d bytes, %.60q", told.size, text)
	}
	told.say(strings.Repeat("é", mostTold))
	if len(told.lines) != 1 || told.size != len(told.lines[0]) || told.size > mostTold || told.size < mostTold-2 {
		t.Errorf("%d lines, %d bytes", len(told.lines), told.size)
	}
}
