package main

import (
	"slices"
	"testing"

	"marvin/persistence"
	"marvin/ui/tui"
)

func TestTheStatusLineHasWhatTheSettingNames(t *testing.T) {
	if shown := tui.StatusParts(); !slices.Equal(shown, persistence.StatusParts) {
		t.Errorf("the screen shows %q, status: in config.yaml may say %q", shown, persistence.StatusParts)
	}
}
