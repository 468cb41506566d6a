package slash_test

import (
	"slices"
	"testing"

	"marvin/ui/slash"
)

func TestFittingPrefersWhatBeginsSo(t *testing.T) {
	nord, one, dracula, gruvbox := slash.Completion{Item: "nord\xff"}, slash.Completion{Item: "one-dark", Note: "dark"}, slash.Completion{Item: "Dracula"}, slash.Completion{Item: "gruvbox-dark"}
	items := []slash.Completion{nord, one, dracula, gruvbox}
	for word, want := range map[string][]slash.Completion{
		"":        items,
		"d":       {dracula},
		"dark":    {one, gruvbox},
		"GVB":     {gruvbox},
		"zebra":   nil,
		"r\ufffd": {nord},
	} {
		if got := slash.Matching(items, word); !slices.Equal(got, want) {
			t.Errorf("%q: %q", word, got)
		}
	}
	if common := slash.Common([]slash.Completion{{Item: "plan", Note: "a"}, {Item: "plain", Note: "b"}}); common != "pla" {
		t.Errorf("in common is %q", common)
	}
}

func TestArgumentsOfCommands(t *testing.T) {
	for line, want := range map[string]slash.Kind{
		"/model ": slash.KindModel, "/theme ": slash.KindTheme, "/approve ": slash.KindMode, "/effort ": slash.KindLevel,
		"/resume ": slash.KindSession, "/fork ": slash.KindSession, "/settings ": slash.KindSetting, "/cd ": slash.KindFolder,
		"/export ": "", "/retry ": "", "/model": "", "/settings theme ": "", "hello ": "",
	} {
		if got := slash.Argument(line, true); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
	if slash.Argument("/model ", false) != "" {
		t.Error("offered on a second line")
	}
}

// The words that Tab completes, and the mark that stays before them.
func TestCompletionWords(t *testing.T) {
	for _, row := range []struct {
		before, word string
		first        bool
		kind         slash.Kind
		mark         string
	}{
		{"", "", true, "", ""},
		{"", "/", true, slash.KindCommand, ""},
		{"", "/he", true, slash.KindCommand, ""},
		{"", "/he", false, slash.KindPath, ""},
		{"", "/a/b", true, slash.KindPath, ""},
		{"", "!ls", true, slash.KindCommand, ""},
		{"", "!ls", false, slash.KindTool, ""},
		{"!ls ", "x", true, slash.KindPath, ""},
		{"look at ", "@", true, slash.KindPath, "@"},
		{"", "@a", false, slash.KindPath, "@"},
		{"/help ", "m", true, slash.KindCommand, ""},
		{"/help ", "m", false, "", ""},
		{"/help ", "mo", false, slash.KindTool, ""},
		{"/export ", "x", true, slash.KindPath, ""},
		{"/cd ", "x", true, slash.KindFolder, ""},
		{"/tools ", "x", true, slash.KindTool, ""},
		{"/model ", "x", true, slash.KindModel, ""},
		{"/provider ", "x", true, slash.KindProvider, ""},
		{"/login ", "x", true, slash.KindProvider, ""},
		{"/profile ", "x", true, slash.KindProfile, ""},
		{"/approve ", "x", true, slash.KindMode, ""},
		{"/effort ", "x", true, slash.KindLevel, ""},
		{"/theme ", "x", true, slash.KindTheme, ""},
		{"/settings ", "x", true, slash.KindSetting, ""},
		{"/resume ", "x", true, slash.KindSession, ""},
		{"/fork ", "x", true, slash.KindSession, ""},
		{"/retry ", "x", true, "", ""},
		{"/retry ", "xy", true, slash.KindTool, ""},
		{"see ", "a/", true, slash.KindPath, ""},
		{"see ", "a.b", true, slash.KindPath, ""},
		{"see ", "~", true, slash.KindPath, ""},
		{"see ", "a", true, "", ""},
		{"see ", "ab", true, slash.KindTool, ""},
		{"", "qui", true, slash.KindTool, ""},
		{"", "zzz", true, slash.KindTool, ""},
		{"", "z", true, "", ""},
	} {
		if kind, mark := slash.KindOfWord(row.before, row.word, row.first); kind != row.kind || mark != row.mark {
			t.Errorf("%q behind %q, on the first line %v: %q, %q", row.word, row.before, row.first, kind, mark)
		}
	}
	if got := slash.WithoutNotes([]string{"a", "b"}); !slices.Equal(got, []slash.Completion{{Item: "a"}, {Item: "b"}}) {
		t.Errorf("%v", got)
	}
}
