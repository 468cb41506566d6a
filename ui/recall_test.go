package ui

import (
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

// A conversation whose first turn was interrupted says so instead of reporting no turns.
func TestResumedTurnCount(t *testing.T) {
	for turns, want := range map[int]string{0: "Tea (no complete turn, last on 2 May", 1: "Tea (1 turn, last on", 2: "Tea (2 turns, last on"} {
		event := messages.Resumed{Title: "Tea", Turns: turns, Left: time.Date(2026, 5, 2, 9, 0, 0, 0, time.Local)}
		if got := ResumedText(event); !strings.Contains(got, want) {
			t.Errorf("%d turns: %s", turns, got)
		}
	}
}
