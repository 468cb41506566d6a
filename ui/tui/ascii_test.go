package tui_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"

	"marvin/messages"
	"marvin/ui/tui"
)

// A font of 256 glyphs, as on the Linux console, shows a box for every other character.
func TestNothingIsDrawnButWithASCII(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 40, func(config *tui.Config) { config.Looks.ASCII = true })
	conversation(talk)
	talk.say(messages.TurnStarted{Prompt: "more"},
		messages.Thinking{Chunk: "well"},
		messages.ToolStarted{Call: "2", Name: "look", Title: "look here"}, messages.ToolEnded{Call: "2", Name: "look", Status: messages.ToolError, Summary: "gone", Text: "gone"},
		messages.Text{Chunk: "# One\n\n- [ ] a\n- [x] b\n- c\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"},
		messages.ToolStarted{Call: "3", Name: "wait", Title: "wait"})
	f := p.sees("x look", "o wait", "running", "quoted")
	for y, row := range f.rows {
		for _, r := range row {
			if r > unicode.MaxASCII {
				t.Errorf("row %d has %q: %s", y, r, row)
				break
			}
		}
	}
}

func TestWideTextKeepsItsCellsWithASCII(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 24, func(config *tui.Config) { config.Looks.ASCII = true })
	conversation(talk)
	talk.say(messages.TurnStarted{Prompt: "more"}, messages.Text{Chunk: "| a | b |\n|---|---|\n| 紫蘇 | 1 |\n| beans | 2 |\n"}, messages.TurnEnded{Outcome: messages.Completed})
	f := p.sees("紫蘇", "beans")
	column := func(of string) int {
		for _, row := range f.rows {
			if before, _, found := strings.Cut(row, of); found {
				return uniseg.StringWidth(before)
			}
		}
		return -1
	}
	if one, two := column("| 1"), column("| 2"); one != two || one < 0 {
		t.Errorf("the bars are in columns %d and %d:\n%s", one, two, f)
	}
}
