package calendar

import (
	"testing"
	"time"
)

// For a rule that takes too long or that the library cannot evaluate, only the first time is shown.
// Usual rules are evaluated, however old they are.
func TestRulesThatCannotBeFollowedLeaveTheFirstTime(t *testing.T) {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, series := range []struct {
		start, rule string
		want        int
	}{
		{"00010101T000000", "FREQ=HOURLY", 0},
		{"20200101T000000", "FREQ=HOURLY", mostRepetitions},
		{"20200101T000000", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", 0},
		{"20260101T000000", "FREQ=DAILY;BYHOUR=0,1,2;BYMINUTE=0,30", 31 * 6},
		{"19500101T000000", "FREQ=HOURLY", 0},
		{"19000101", "FREQ=DAILY", 31},
		{"19000105", "FREQ=YEARLY", 1},
		{"20260105", "FREQ=YEARLY;BYEASTER=400", 1},
	} {
		events, _ := read("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:"+series.start+"\nRRULE:"+series.rule+"\nEND:VEVENT\nEND:VCALENDAR\n", time.UTC)
		if shown := overlapping(events, from, from.AddDate(0, 1, 0)); len(shown) != series.want {
			t.Errorf("%s since %s: %d times", series.rule, series.start, len(shown))
		}
	}
}
