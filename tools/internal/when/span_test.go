package when

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0s": 0, "5m": 5 * time.Minute, "5M": 5 * time.Minute, "1h30m": 90 * time.Minute, "1h 30m": 90 * time.Minute, "1h30": 90 * time.Minute,
		"5 minutes": 5 * time.Minute, "5-minute": 5 * time.Minute, "1 hour and 30 minutes": 90 * time.Minute, "1 hour, 2 mins": 62 * time.Minute,
		"1.5 hours": 90 * time.Minute, "500ms": 500 * time.Millisecond, "90.5s": 90*time.Second + 500*time.Millisecond, "45 secs": 45 * time.Second,
		"2d": 48 * time.Hour, "1h0m5s": time.Hour + 5*time.Second, "1:30:05": 90*time.Minute + 5*time.Second, "half an hour": 30 * time.Minute, "½ h": 30 * time.Minute,
		"for 5 minutes": 5 * time.Minute, "a minute": time.Minute, "an hour and a half": 90 * time.Minute, "an hour and a quarter": 75 * time.Minute,
		"fünf Minuten": 5 * time.Minute, "anderthalb Stunden": 90 * time.Minute, "eine halbe Stunde": 30 * time.Minute, "2,5 Stunden": 150 * time.Minute,
		"eine Viertelstunde": 15 * time.Minute, "cinq minutes": 5 * time.Minute, "une heure et demie": 90 * time.Minute, "un quart d'heure": 15 * time.Minute, "1 h 30 min": 90 * time.Minute,
	} {
		if got, err := Duration(text); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "soon", "5x", "-5m", "5m30", "m", "1e3", "5 minutes later", "1h and", "NaN", "1 month", "at 7", "9999999 years", "5.000 m"} {
		if got, err := Duration(text); err == nil {
			t.Errorf("%q: %s", text, got)
		}
	}
	if _, err := Duration("90"); !errors.Is(err, ErrNoUnit) || !strings.Contains(err.Error(), "90 minutes or 90 seconds") {
		t.Errorf("a number alone: %v", err)
	}
	if _, err := Duration("1:30"); !errors.As(err, new(*Ambiguous)) || !strings.Contains(err.Error(), "1 h 30 min or 1 min 30 s") {
		t.Errorf("1:30: %v", err)
	}
}

func TestLengthsAreWrittenShort(t *testing.T) {
	for length, want := range map[time.Duration]string{
		0: "0s", 400 * time.Millisecond: "0s", 5 * time.Second: "5s", time.Minute: "1m", 90 * time.Second: "1m30s", time.Hour: "1h", time.Hour + 5*time.Second: "1h0m5s", 20 * time.Minute: "20m",
	} {
		if got := Length(length); got != want {
			t.Errorf("%d: %s, want %s", length, got, want)
		}
	}
}

func TestPastTimesAreExplained(t *testing.T) {
	now := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"today at 7": "19:00 today, or 07:00 tomorrow", "today at 07:00": "may be 07:00 tomorrow", "2020-01-01 10:00": "it is Wed Nov 25 2026 09:00 now", "2 hours ago": "is past",
	} {
		found, err := Parse(text, now)
		if err != nil {
			t.Fatal(err)
		}
		if err := found.Future(now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if found, err := Parse("7", now); err != nil || found.Future(now) != nil {
		t.Errorf("%v, %v", found, err)
	}
}
