package when

import (
	"fmt"
	"strings"
	"time"
)

// Format writes a moment as text that [Parse] can read back. The text contains no fractions of a
// second. If the clocks show a time twice, the text for its second occurrence includes the UTC
// offset.
func Format(moment time.Time) string {
	form := "Mon Jan 2 2006 15:04"
	if moment.Second() != 0 {
		form += ":05"
	}
	if again, _ := local(moment.Year(), moment.Month(), moment.Day(), clock{hour: moment.Hour(), minute: moment.Minute(), second: moment.Second()}, moment.Location()); !again.Equal(moment.Truncate(time.Second)) {
		form += " -07:00"
	}
	return moment.Format(form)
}

// Day formats a day, for example as "Thu Dec 3 2026".
func Day(day time.Time) string { return day.Format("Mon Jan 2 2006") }

// Length writes a duration, rounded to seconds, as text that [Duration] can read back.
func Length(length time.Duration) string {
	length = length.Round(time.Second)
	if length == 0 {
		return "0s"
	}
	text := length.String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}

// NotesText returns the moment's notes as text to append to a result, or "".
func (m Moment) NotesText() string {
	var text strings.Builder
	for _, note := range m.Notes {
		fmt.Fprintf(&text, "\nNote: %s.", note)
	}
	return text.String()
}

// CheckHalf returns an error if the moment has passed, but its text could mean a time 12 hours
// later. An example is "today at 3:15", said at noon.
func (m Moment) CheckHalf(now time.Time) error {
	if m.half && m.other != "" && !m.Time.After(now) {
		return &Ambiguous{Text: m.Time.Format("3:04"), Readings: []string{m.Time.Format("15:04"), m.Time.Add(12 * time.Hour).Format("15:04")}}
	}
	return nil
}

// Future returns an error if the moment is in the past. The error lists other possible meanings.
func (m Moment) Future(now time.Time) error {
	switch {
	case m.Time.After(now):
		return nil
	case m.other != "":
		return fmt.Errorf("%s is past; it may be %s", Format(m.Time), m.other)
	}
	return fmt.Errorf("%s is past; it is %s now", Format(m.Time), Format(now))
}
