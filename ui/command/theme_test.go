package command_test

import (
	"slices"
	"testing"

	"marvin/ui/command"
)

// Another spelling of a command is understood, and not offered as if it were a second one.
func TestThemesIsTheSameAsThemeAndNotOffered(t *testing.T) {
	entry, ok := command.Find("/themes")
	if !ok || entry.Verb != command.Themes {
		t.Errorf("/themes is %+v", entry)
	}
	if got := command.Complete("/th"); !slices.Contains(got, "/theme") || slices.Contains(got, "/themes") {
		t.Errorf("/th is completed by %v", got)
	}
}
