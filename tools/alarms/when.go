package alarms

import (
	"fmt"
	"time"

	"marvin/tools"
	"marvin/tools/internal/when"
)

// parseTime parses the time of an alarm, which must be in the future. It also returns a note that
// tells the user what parseTime assumed.
func parseTime(text string, now time.Time) (due time.Time, assumed string, err error) {
	moment, err := when.Parse(text, now)
	if err != nil {
		return due, "", tools.Advise(err, "Write 07:30, 2026-05-01 07:30, tomorrow at 7, or a time from now such as 30m or in 2 hours.")
	}
	if moment.AllDay && !moment.Relative {
		return due, "", tools.Advise(fmt.Errorf("%q has no time of day", text), "Give a time of day for %s.", when.Day(moment.Time))
	}
	if err := moment.Future(now); err != nil {
		return due, "", tools.Advise(err, "Give a time in the future.")
	}
	if moment.Time.After(now.AddDate(5, 0, 0)) {
		return due, "", fmt.Errorf("%s is too far in the future for an alarm; put it in the calendar", when.Format(moment.Time))
	}
	return moment.Time, moment.NotesText(), nil
}
