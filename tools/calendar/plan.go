package calendar

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/repeat"
	"marvin/tools/internal/when"
)

type planned struct {
	uid, title, place, notes string
	start, end               time.Time
	allDay                   bool
	repeat                   string // an RRULE, "" for a single event
	assumed                  string // notes for the user about how the times were interpreted
}

func (in addArgs) plan(now time.Time) (planned, error) {
	plan := planned{title: oneLine(in.Title), place: oneLine(in.Location), notes: strings.TrimSpace(in.Description)}
	if plan.title == "" {
		return plan, errors.New("the event needs a title; say what it is")
	}
	begin, err := parseMoment(in.Start, now)
	if err != nil {
		return plan, err
	}
	if err := begin.CheckHalf(now); err != nil {
		return plan, err
	}
	plan.start, plan.allDay, plan.assumed = begin.Time, begin.AllDay, begin.NotesText()
	if begin.ClockOnly {
		plan.repeat, plan.start, err = repeat.ParseFirst(in.Repeat, plan.start)
	} else {
		plan.repeat, err = repeat.Parse(in.Repeat, plan.start, plan.allDay)
	}
	if err != nil {
		return plan, err
	}
	plan.end = plan.start.Add(time.Hour)
	if plan.allDay {
		plan.end = plan.start.AddDate(0, 0, 1)
	}
	if strings.TrimSpace(in.End) != "" {
		if plan.end, err = parseEnd(in.End, plan.start, plan.allDay); err != nil {
			return plan, err
		}
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	plan.uid = hex.EncodeToString(id)
	return plan, nil
}

// parseMoment parses the time of an event. If text names only a day, the result is the midnight at
// which that day begins.
func parseMoment(text string, now time.Time) (when.Moment, error) {
	moment, err := when.Parse(text, now)
	if err != nil {
		return moment, tools.Advise(err, "Write a time such as 2026-05-01 18:00 or tomorrow at 18:00, or 2026-05-01 for a whole day.")
	}
	if moment.AllDay {
		year, month, day := moment.Time.Date()
		moment.Time = time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	}
	return moment, nil
}

// longestNight is the maximum duration of an overnight event whose end is given without a date. So
// 22:00 to 2:00 is valid, but 10:00 to 9:00 is not.
const longestNight = 12 * time.Hour

// parseEnd parses the end of an event: a time of day, a date, both, or a duration. For an all-day
// event, the result is the day after the last day, as in iCalendar.
func parseEnd(text string, start time.Time, allDay bool) (time.Time, error) {
	end, err := parseMoment(text, start)
	if err != nil {
		return end.Time, err
	}
	switch {
	case end.AllDay && end.Relative && !allDay: // "2 days" keeps the time of day
		year, month, day := end.Time.Date()
		end.Time, end.AllDay = time.Date(year, month, day, start.Hour(), start.Minute(), start.Second(), 0, start.Location()), false
	case end.AllDay && end.Relative:
		return end.Time, nil
	}
	if end.AllDay != allDay {
		return end.Time, tools.Advise(errors.New("start and end must both have a time of day, or both have none"), "Write both like 2026-05-01 18:00, or both like 2026-05-01.")
	}
	if allDay {
		end.Time = end.Time.AddDate(0, 0, 1)
	}
	if !end.Time.After(start) || end.ClockOnly && end.Time.YearDay() != start.YearDay() && end.Time.Sub(start) > longestNight {
		return end.Time, tools.Advise(fmt.Errorf("the end %s is not after the start %s", oneLine(text), when.Format(start)), "Say when it ends, such as 2026-05-01 19:00.")
	}
	return end.Time, nil
}

// lines returns the event as the lines of a VEVENT. The properties that Marvin's Python version
// reads come first, and times are local without a zone, because that version parses line by line.
func (p planned) lines(now time.Time) []string {
	lines := []string{"BEGIN:VEVENT", "UID:" + p.uid, stamp("DTSTART", p.start, p.allDay, property{}), stamp("DTEND", p.end, p.allDay, property{}), "SUMMARY:" + escape(p.title)}
	if p.place != "" {
		lines = append(lines, "LOCATION:"+escape(p.place))
	}
	if p.notes != "" {
		lines = append(lines, "DESCRIPTION:"+escape(strings.ReplaceAll(p.notes, "\r\n", "\n")))
	}
	if p.repeat != "" {
		lines = append(lines, "RRULE:"+p.repeat)
	}
	utc := now.UTC().Format("20060102T150405Z")
	return append(lines, "DTSTAMP:"+utc, "CREATED:"+utc, "END:VEVENT")
}

// stamp converts a time into a property line. It keeps the time zone of the existing property, so a
// series in New York stays in New York's time zone.
func stamp(name string, moment time.Time, allDay bool, existing property) string {
	zone := existing.parameters["TZID"]
	switch {
	case allDay:
		return name + ";VALUE=DATE:" + moment.Format("20060102")
	case strings.HasSuffix(strings.TrimSpace(existing.value), "Z"):
		return name + ":" + moment.UTC().Format("20060102T150405Z")
	case zone != "" && strings.ContainsAny(zone, ":;,"):
		return name + `;TZID="` + zone + `":` + moment.Format("20060102T150405")
	case zone != "":
		return name + ";TZID=" + zone + ":" + moment.Format("20060102T150405")
	}
	return name + ":" + moment.Format("20060102T150405")
}

func (p planned) period() string {
	text := p.start.Format("Mon Jan 2 2006 15:04") + "–" + p.end.Format("15:04")
	if p.end.YearDay() != p.start.YearDay() || p.end.Year() != p.start.Year() {
		text = p.start.Format("Mon Jan 2 2006 15:04") + " to " + p.end.Format("Mon Jan 2 2006 15:04")
	}
	if p.allDay {
		text = p.start.Format("Mon Jan 2 2006") + ", all day"
		if last := p.end.AddDate(0, 0, -1); last.After(p.start) {
			text = p.start.Format("Mon Jan 2 2006") + " to " + last.Format("Mon Jan 2 2006")
		}
	}
	if p.repeat != "" {
		text += ", repeated: " + p.repeat
	}
	return text
}
