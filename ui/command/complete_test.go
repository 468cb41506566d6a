package command_test

import (
	"slices"
	"testing"

	"marvin/ui/command"
)

func TestFittingPrefersWhatBeginsSo(t *testing.T) {
	nord, one, dracula, gruvbox := command.Completion{Item: "nord\xff"}, command.Completion{Item: "one-dark", Note: "dark"}, command.Completion{Item: "Dracula"}, command.Completion{Item: "gruvbox-dark"}
	items := []command.Completion{nord, one, dracula, gruvbox}
	for word, want := range map[string][]command.Completion{
		"":        items,
		"d":       {dracula},
		"dark":    {one, gruvbox},
		"GVB":     {gruvbox},
		"zebra":   nil,
		"r\ufffd": {nord},
	} {
		if got := command.Fitting(items, word); !slices.Equal(got, want) {
			t.Errorf("%q: %q", word, got)
		}
	}
	if common := command.Common([]command.Completion{{Item: "plan", Note: "a"}, {Item: "plain", Note: "b"}}); common != "pla" {
		t.Errorf("in common is %q", common)
	}
}

// Every command that has something to complete names it, also without a word behind it.
func TestArgumentsOfCommands(t *testing.T) {
	for line, want := range map[string]command.Kind{
		"/model ": command.KindModel, "/theme ": command.KindTheme, "/approve ": command.KindMode, "/effort ": command.KindLevel,
		"/resume ": command.KindSession, "/fork ": command.KindSession, "/settings ": command.KindSetting, "/cd ": command.KindFolder,
		"/export ": "", "/retry ": "", "/model": "", "/settings theme ": "", "hello ": "",
	} {
		if got := command.Argument(line, true); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
	if command.Argument("/model ", false) != "" {
		t.Error("offered on a second line")
	}
}
