package providers

import (
	"os"
	"strings"
	"testing"
)

func TestThinkingIsNotSwitchedOff(t *testing.T) {
	for list, want := range map[string][]Effort{
		"off":              {Off, Off, "", "", "", "", ""},
		"off high":         {Off, Off, High, High, High, High, High},
		"off low high max": {Off, Off, Low, Low, High, High, Max},
		"low high":         {Low, Low, Low, Low, High, High, High},
		"none":             {"", "", "", "", "", "", ""},
		"":                 Efforts,
	} {
		for i, wish := range Efforts {
			if got := (About{Efforts: effortsIn(list)}).Fit(wish); got != want[i] {
				t.Errorf("of %q %s becomes %q, not %q", list, wish, got, want[i])
			}
		}
	}
}

func TestEveryRowHasItsEfforts(t *testing.T) {
	page, err := os.ReadFile("../docs/efforts.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[int]bool{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) < 10 {
			continue
		}
		if at, found := rowOf(strings.Trim(cells[1], " `"), strings.Trim(cells[2], " `")); found {
			shown[at] = true
		}
	}
	for i, row := range modelTable {
		if !shown[i] && row.prefix != "copilot/" { // the text contains its values
			t.Errorf("no line of docs/efforts.md is about %q", row.prefix)
		}
	}
}
