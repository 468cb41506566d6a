package clock

import (
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/when"
)

// parseDate reads a date at midnight UTC, so that days are counted and not hours.
func parseDate(text string, now time.Time) (time.Time, error) {
	if strings.EqualFold(strings.TrimSpace(text), "now") {
		text = "today"
	}
	moment, err := when.Parse(text, now)
	if err == nil && !moment.AllDay {
		err = fmt.Errorf("%q is a time, not a date", text)
	}
	if err != nil {
		return time.Time{}, tools.Advise(err, "Write it as 2026-12-24 or 24 December 2026.")
	}
	year, month, day := moment.Time.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), nil
}
