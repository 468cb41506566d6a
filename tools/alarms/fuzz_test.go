package alarms

import (
	"testing"
	"time"
)

func FuzzTime(f *testing.F) {
	for _, text := range []string{"07:30", "3pm", "in 2 hours and 5 minutes", "2026-05-01 07:30", "2026-05-01T07:30:00+02:00", "90", "1e9", "0.0001s", "-5m", "in", "9999999999999999h"} {
		f.Add(text)
	}
	now := time.Date(2026, 3, 29, 1, 30, 0, 5, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		due, _, err := parseTime(text, now)
		if err == nil && (due.Before(now.Add(-time.Second)) || due.Year() > 9999) {
			t.Errorf("%q is %s", text, due)
		}
	})
}
