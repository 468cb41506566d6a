package calendar

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/repeat"
)

// edit is a change to a whole event or series, or to one occurrence of a series.
type edit struct {
	text     string
	now      time.Time
	in       changeArgs
	before   event
	series   bool
	instance time.Time // the occurrence to change; zero for the whole series
	plan     planned   // the changed event
}

func (e *edit) apply(all []event) (string, error) {
	if err := e.makePlan(); err != nil {
		return "", err
	}
	moved := !e.plan.start.Equal(e.before.start) || e.plan.allDay != e.before.allDay
	if e.series && e.instance.IsZero() && moved {
		if err := e.movable(all); err != nil {
			return "", err
		}
	}
	one, there := entryOf(e.text, e.before.uid, e.instance, e.now.Location())
	if !there && !e.instance.IsZero() {
		return insert(e.text, e.replacement()), nil
	}
	if !there {
		return "", errors.New("the event is no longer in the calendar")
	}
	lines := map[string]string{}
	order := markChanged(one, e.now, lines)
	like := one.get("DTSTART")
	if moved || e.in.End != "" {
		lines["DTSTART"] = stamp("DTSTART", e.plan.start.In(e.before.start.Location()), e.plan.allDay, like)
		lines["DTEND"] = stamp("DTEND", e.plan.end.In(e.before.start.Location()), e.plan.allDay, like)
		lines["DURATION"] = ""
	}
	for name, given := range map[string]string{"SUMMARY": e.in.NewTitle, "LOCATION": e.in.Location, "DESCRIPTION": e.in.Description} {
		if strings.TrimSpace(given) != "" {
			lines[name] = name + ":" + escape(strings.ReplaceAll(strings.TrimSpace(given), "\r\n", "\n"))
		}
	}
	if e.in.NewTitle != "" {
		lines["SUMMARY"] = "SUMMARY:" + escape(e.plan.title)
	}
	if e.in.Repeat != "" {
		lines["RRULE"] = ""
		if e.plan.repeat != "" {
			lines["RRULE"] = "RRULE:" + e.plan.repeat
		}
	}
	return rewrite(e.text, one, lines, order), nil
}

func (e *edit) makePlan() error {
	here := e.now.Location()
	was := e.before
	e.plan = planned{uid: was.uid, title: oneLine(was.title), place: oneLine(was.place), start: was.start.In(here), end: was.end.In(here), allDay: was.allDay}
	if was.allDay {
		e.plan.start, e.plan.end = was.start, was.end
	}
	if title := oneLine(e.in.NewTitle); title != "" {
		e.plan.title = title
	}
	if place := oneLine(e.in.Location); place != "" {
		e.plan.place = place
	}
	if strings.TrimSpace(e.in.Start) != "" {
		if err := e.begin(); err != nil {
			return err
		}
	}
	if strings.TrimSpace(e.in.End) != "" {
		end, err := parseEnd(e.in.End, e.plan.start, e.plan.allDay)
		if err != nil {
			return err
		}
		e.plan.end = end
	}
	for _, rule := range was.rules {
		if rule.name == "RRULE" && e.instance.IsZero() {
			e.plan.repeat = rule.value
		}
	}
	if strings.TrimSpace(e.in.Repeat) == "" {
		return nil
	}
	if !e.instance.IsZero() {
		return errors.New("a single date of a series cannot repeat; to change the whole series, leave \"date\" out")
	}
	var err error
	e.plan.repeat, err = repeat.Parse(e.in.Repeat, e.plan.start, e.plan.allDay)
	return err
}

// begin gives the planned event its new start. A start without a date keeps the old date. The event
// keeps its duration, but an all-day event that gets a time lasts one hour.
func (e *edit) begin() error {
	length := e.plan.end.Sub(e.plan.start)
	moment, err := parseMoment(e.in.Start, e.now)
	if err != nil {
		return err
	}
	if moment.ClockOnly { // keep the day on which the event starts
		year, month, day := e.plan.start.Date()
		if moment, err = parseMoment(e.in.Start, time.Date(year, month, day, 0, 0, 0, 0, e.now.Location()).Add(-time.Second)); err != nil {
			return err
		}
		moment.Notes = nil
	}
	e.plan.assumed = moment.NotesText()
	switch {
	case moment.AllDay && !e.plan.allDay: // the new start is only a date; keep the old time of day
		year, month, day := moment.Time.Date()
		moment.Time = time.Date(year, month, day, e.plan.start.Hour(), e.plan.start.Minute(), e.plan.start.Second(), 0, e.now.Location())
	case !moment.AllDay && e.plan.allDay:
		e.plan.allDay, length = false, time.Hour
	}
	e.plan.start, e.plan.end = moment.Time, moment.Time.Add(length)
	if e.plan.allDay { // a day can have 23 or 25 hours
		e.plan.end = moment.Time.AddDate(0, 0, int(length.Hours()+12)/24)
	}
	return nil
}

// movable returns an error for a series with added, removed or changed dates, because these dates
// would not move with the series. It also rejects an unchanged rule that does not fit the new
// start.
func (e *edit) movable(all []event) error {
	advise := func(why string) error {
		return tools.Advise(errors.New(why), "To change one day, give that day in the \"date\" argument; to change the series, delete it and add it again.")
	}
	for _, rule := range e.before.rules {
		if rule.name != "RRULE" {
			return advise("dates were added to the series or removed from it, and those dates would not move with the series")
		}
		if e.in.Repeat == "" {
			if _, err := repeat.ValidRule(rule.value, e.plan.start.In(e.before.start.Location())); err != nil {
				return tools.Advise(fmt.Errorf("the series repeats by the rule %s, which does not fit the new start", rule.value), "Set \"repeat\" to the new rule as well.")
			}
		}
	}
	for _, other := range all {
		if other.uid == e.before.uid && !other.instance.IsZero() {
			return advise("single dates of the series were changed, and they would not move with the series")
		}
	}
	return nil
}

// replacement returns the lines of a separate event that replaces one occurrence of a series.
func (e *edit) replacement() []string {
	series, _ := entryOf(e.text, e.before.uid, time.Time{}, e.now.Location())
	like := series.get("DTSTART")
	zone := e.before.start.Location()
	lines := []string{
		"BEGIN:VEVENT", "UID:" + series.get("UID").value, stamp("RECURRENCE-ID", e.instance.In(zone), e.before.allDay, like),
		stamp("DTSTART", e.plan.start.In(zone), e.plan.allDay, like), stamp("DTEND", e.plan.end.In(zone), e.plan.allDay, like), "SUMMARY:" + escape(e.plan.title),
	}
	if e.plan.place != "" {
		lines = append(lines, "LOCATION:"+escape(e.plan.place))
	}
	if notes := strings.TrimSpace(e.in.Description); notes != "" {
		lines = append(lines, "DESCRIPTION:"+escape(strings.ReplaceAll(notes, "\r\n", "\n")))
	} else if notes := series.get("DESCRIPTION"); notes.value != "" {
		lines = append(lines, "DESCRIPTION:"+notes.value)
	}
	utc := e.now.UTC().Format("20060102T150405Z")
	return append(lines, "DTSTAMP:"+utc, "LAST-MODIFIED:"+utc, "END:VEVENT")
}
