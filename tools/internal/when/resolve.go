package when

import (
	"fmt"
	"time"
)

func (p *phrase) moment(now time.Time) (found Moment, err error) {
	here := now.Location()
	if p.zone != nil {
		now = now.In(p.zone)
	}
	switch {
	case p.away != nil && p.clock == nil && p.day == nil:
		found = p.relative(now)
	case p.day == nil && p.away == nil:
		found = p.nextClock(now)
		found.ClockOnly = true
	default:
		found, err = p.onDay(now)
	}
	if err != nil {
		return found, err
	}
	if year := found.Time.Year(); year < 1 || year > 9999 {
		return found, fmt.Errorf("%q is too far away", p.text)
	}
	if p.zone != nil && !found.AllDay {
		found.Time = found.Time.In(here)
		found.note("%s is %s here", p.text, Format(found.Time))
	}
	if p.clock != nil && p.clock.note != "" {
		found.note("%s", p.clock.note)
	}
	return found, nil
}

func (m *Moment) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// relative adds p.away to the current time. Days and months keep the time of day, even if the
// clocks change. Shorter units are added as an exact duration.
func (p *phrase) relative(now time.Time) Moment {
	found := Moment{Relative: true, AllDay: p.away.length == 0}
	day := now
	if p.away.months != 0 || p.away.days != 0 {
		day = addMonths(now, p.away.months).AddDate(0, 0, p.away.days)
		var note string
		day, note = local(day.Year(), day.Month(), day.Day(), clock{hour: now.Hour(), minute: now.Minute(), second: now.Second()}, now.Location())
		if note != "" {
			found.note("%s", note)
		}
	}
	found.Time = day.Add(p.away.length).Truncate(time.Second)
	return found
}

// addMonths returns noon on the same day of another month, or on that month's last day if the month
// is too short.
func addMonths(now time.Time, months int) time.Time {
	first := time.Date(now.Year(), now.Month()+time.Month(months), 1, 12, 0, 0, 0, now.Location())
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(now.Day(), last)-1)
}

// nextClock returns the next occurrence of a time of day.
func (p *phrase) nextClock(now time.Time) Moment {
	if p.clock.midnight {
		return p.timeOn(now.AddDate(0, 0, 1), clock{}, now)
	}
	found := p.timeOn(now, *p.clock, now)
	if !found.Time.After(now) {
		found = p.timeOn(midday(now).AddDate(0, 0, 1), *p.clock, now)
		found.note("%s has passed today, so it means tomorrow%s", p.clock, p.otherHalf(now))
	}
	return found
}

// otherHalf returns a hint if p.clock could also mean a time 12 hours later that is still to come
// today. Otherwise, it returns "".
func (p *phrase) otherHalf(now time.Time) string {
	later := *p.clock
	later.hour += 12
	if !p.clock.half || later.hour >= 24 || later.minutes() <= now.Hour()*60+now.Minute() {
		return ""
	}
	return " (for today say " + later.String() + ")"
}

func (c clock) minutes() int { return c.hour*60 + c.minute }

func (c clock) String() string {
	if c.second != 0 {
		return fmt.Sprintf("%02d:%02d:%02d", c.hour, c.minute, c.second)
	}
	return fmt.Sprintf("%02d:%02d", c.hour, c.minute)
}

// onDay returns the moment if the text names a day. Without a time of day, the result is midnight.
func (p *phrase) onDay(now time.Time) (Moment, error) {
	when, notes, err := p.date(now)
	if err != nil {
		return Moment{}, err
	}
	var found Moment
	if p.clock == nil {
		found.Time, found.AllDay = time.Date(when.Year(), when.Month(), when.Day(), 0, 0, 0, 0, now.Location()), true
		found.Notes = notes
		return found, nil
	}
	at := *p.clock
	today := p.day != nil && p.day.kind == fromToday && p.day.offset == 0
	switch {
	case at.midnight && (today || p.part == night):
		when, at = when.AddDate(0, 0, 1), clock{}
	case at.midnight:
		return found, &Ambiguous{Text: p.text, Readings: []string{Day(when) + " 00:00 (the beginning of that day)", Day(when) + " 24:00 (the end of that day)"}}
	case p.part == night && at.hour < 6 && today: // "tonight at 2" usually means 2:00 tomorrow
		if now.Hour() >= 6 || at.minutes() <= now.Hour()*60+now.Minute() {
			when = when.AddDate(0, 0, 1)
		}
	case p.part == night && at.hour < 6:
		return found, &Ambiguous{Text: p.text, Readings: []string{Day(when) + " " + at.String(), Day(when.AddDate(0, 0, 1)) + " " + at.String()}}
	}
	found = p.timeOn(when, at, now)
	found.Notes = append(notes, found.Notes...)
	if today && !found.Time.After(now) {
		found.other, found.half = p.choices(now), p.clock.half
	}
	return found, nil
}

// choices returns the possible meanings of a time of day that has already passed today.
func (p *phrase) choices(now time.Time) string {
	text := p.clock.String() + " tomorrow"
	later := *p.clock
	later.hour += 12
	if p.clock.half && later.hour < 24 && later.minutes() > now.Hour()*60+now.Minute() {
		text = later.String() + " today, or " + text
	}
	return text
}

// timeOn returns the moment of a time of day on the given date, in the time zone of the current
// time.
func (p *phrase) timeOn(day time.Time, at clock, now time.Time) (found Moment) {
	var note string
	found.Time, note = local(day.Year(), day.Month(), day.Day(), at, now.Location())
	if note != "" {
		found.note("%s", note)
	}
	return found
}

func midday(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, now.Location())
}

// local computes the moment for a date and time of day in the given zone. If the clocks skip that
// time, the result is later by the length of the gap, as RFC 5545 requires. If the clocks show that
// time twice, the result is the first occurrence.
func local(year int, month time.Month, date int, at clock, zone *time.Location) (found time.Time, note string) {
	wall := time.Date(year, month, date, at.hour, at.minute, at.second, 0, time.UTC)
	guess := time.Date(year, month, date, at.hour, at.minute, at.second, 0, zone)
	begin, end := guess.ZoneBounds()
	var fits []time.Time
	before := guess
	for _, near := range []time.Time{begin.Add(-time.Second), guess, end} {
		if near.Equal(begin.Add(-time.Second)) && begin.IsZero() || near.Equal(end) && end.IsZero() {
			continue
		}
		_, offset := near.In(zone).Zone()
		candidate := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if sameWall(candidate, wall) && (len(fits) == 0 || !fits[len(fits)-1].Equal(candidate)) {
			fits = append(fits, candidate)
		}
		if candidate.After(before) {
			before = candidate
		}
	}
	switch len(fits) {
	case 0:
		return before, fmt.Sprintf("%s does not exist on %s, because the clocks go forward; the time used is %s", at, Day(wall), before.Format("15:04"))
	case 1:
		return fits[0], ""
	}
	return fits[0], fmt.Sprintf("%s occurs twice on %s, because the clocks go back; Marvin takes the first one (%s)", at, Day(wall), fits[0].Format("MST -07:00"))
}

func sameWall(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay() && a.Hour() == b.Hour() && a.Minute() == b.Minute() && a.Second() == b.Second()
}

// MomentAt returns the moment when the clocks in a zone show the given date and time. If the clocks
// skip that time, the result is one hour later. If they show it twice, the result is the first
// occurrence.
func MomentAt(wall time.Time, zone *time.Location) time.Time {
	found, _ := local(wall.Year(), wall.Month(), wall.Day(), clock{hour: wall.Hour(), minute: wall.Minute(), second: wall.Second()}, zone)
	return found
}
