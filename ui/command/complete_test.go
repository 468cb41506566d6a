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

// What Tab completes where, and what stays in front of it.
func TestWhatAWordIsTheBeginningOf(t *testing.T) {
	for _, row := range []struct {
		before, word string
		first        bool
		kind         command.Kind
		mark         string
	}{
		{"", "", true, "", ""},
		{"", "/", true, command.KindCommand, ""},
		{"", "/he", true, command.KindCommand, ""},
		{"", "/he", false, command.KindPath, ""},
		{"", "/a/b", true, command.KindPath, ""},
		{"", "!ls", true, command.KindCommand, ""},
		{"", "!ls", false, command.KindTool, ""},
		{"!ls ", "x", true, command.KindPath, ""},
		{"look at ", "@", true, command.KindPath, "@"},
		{"", "@a", false, command.KindPath, "@"},
		{"/help ", "m", true, command.KindCommand, ""},
		{"/help ", "m", false, "", ""},
		{"/help ", "mo", false, command.KindTool, ""},
		{"/export ", "x", true, command.KindPath, ""},
		{"/cd ", "x", true, command.KindFolder, ""},
		{"/tools ", "x", true, command.KindTool, ""},
		{"/model ", "x", true, command.KindModel, ""},
		{"/provider ", "x", true, command.KindProvider, ""},
		{"/login ", "x", true, command.KindProvider, ""},
		{"/profile ", "x", true, command.KindProfile, ""},
		{"/approve ", "x", true, command.KindMode, ""},
		{"/effort ", "x", true, command.KindLevel, ""},
		{"/theme ", "x", true, command.KindTheme, ""},
		{"/settings ", "x", true, command.KindSetting, ""},
		{"/resume ", "x", true, command.KindSession, ""},
		{"/fork ", "x", true, command.KindSession, ""},
		{"/retry ", "x", true, "", ""},
		{"/retry ", "xy", true, command.KindTool, ""},
		{"see ", "a/", true, command.KindPath, ""},
		{"see ", "a.b", true, command.KindPath, ""},
		{"see ", "~", true, command.KindPath, ""},
		{"see ", "a", true, "", ""},
		{"see ", "ab", true, command.KindTool, ""},
		{"", "qui", true, command.KindTool, ""},
		{"", "zzz", true, command.KindTool, ""},
		{"", "z", true, "", ""},
	} {
		if kind, mark := command.Completes(row.before, row.word, row.first); kind != row.kind || mark != row.mark {
			t.Errorf("%q behind %q, on the first line %v: %q, %q", row.word, row.before, row.first, kind, mark)
		}
	}
	if got := command.Unnoted([]string{"a", "b"}); !slices.Equal(got, []command.Completion{{Item: "a"}, {Item: "b"}}) {
		t.Errorf("%v", got)
	}
}
