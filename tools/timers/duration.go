package timers

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/when"
)

// longest is the maximum duration of a countdown.
const longest = 366 * 24 * time.Hour

// parseDuration parses a duration argument. An empty string means 0, and a number without a unit
// means seconds.
func parseDuration(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		text += " s"
	}
	length, err := when.Duration(text)
	if err != nil {
		return 0, tools.Advise(err, "Write it like 5m, 1h30m, 90 (seconds) or \"5 minutes\".")
	}
	if length > longest {
		return 0, fmt.Errorf("%q is longer than a year; put it in the calendar", text)
	}
	return length, nil
}

// spell returns a duration as text. The text contains tenths of a second only below one minute.
func spell(duration time.Duration) string {
	if duration < time.Minute {
		return strconv.FormatFloat(duration.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + "s"
	}
	return when.Length(duration)
}
