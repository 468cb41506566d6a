package main

import (
	"slices"
	"testing"

	"marvin/persistence/settings"
	"marvin/ui/tui"
)

func TestTheStatusLineHasWhatTheSettingNames(t *testing.T) {
	if shown := tui.StatusParts(); !slices.Equal(shown, settings.StatusParts) {
		t.Errorf("the screen shows %q, status: in config.yaml may say %q", shown, settings.StatusParts)
	}
}
