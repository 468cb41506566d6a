package calendar

import (
	"slices"
	"testing"
	"time"
)

// A calendar of another program is read in limited time, whatever its rules are. The events of a
// month are in that month, and in order.
func FuzzOccurrences(f *testing.F) {
	for _, rules := range []string{
		"RRULE:FREQ=DAILY", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "RRULE:FREQ=HOURLY;INTERVAL=1", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU;COUNT=5\nEXDATE:20260105T090000",
		"RDATE;VALUE=DATE:20260110,20260111", "RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=FR;UNTIL=20270101", "RECURRENCE-ID:20260101", "DURATION:P1DT2H30M", "DTEND:20260103T100000",
		"RRULE:FREQ=DAILY;INTERVAL=0", "RRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7;BYMINUTE=1,2,3,4,5,6;BYSECOND=1,2,3,4,5,6,7,8", "RRULE:FREQ=YEARLY;BYWEEKNO=53;BYEASTER=1",
		"RRULE:FREQ=YEARLY;BYEASTER=400",
	} {
		f.Add("20260101T090000", rules)
		f.Add("00010101", rules)
		f.Add("99991231T235959Z", rules)
	}
	f.Add("20200101T000000", "RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30")
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	to := from.AddDate(0, 1, 0)
	f.Fuzz(func(t *testing.T, start, rules string) {
		if len(rules) > 2000 {
			return // each rule takes some time
		}
		events, _ := read("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nSUMMARY:s\nDTSTART:"+start+"\n"+rules+"\nEND:VEVENT\nEND:VCALENDAR\n", time.UTC)
		shown := overlapping(events, from, to) // a run of 10 s is a failure
		if len(shown) > len(events)*mostRepetitions {
			t.Errorf("%d times", len(shown))
		}
		for _, one := range shown {
			if !one.start.Before(to) || one.end.Before(from) {
				t.Errorf("%s to %s is not in the month", one.start, one.end)
			}
		}
		if !slices.IsSortedFunc(shown, func(a, b occurrence) int { return a.start.Compare(b.start) }) {
			t.Error("out of order")
		}
	})
}
