package when

import (
	"cmp"
	"fmt"
	"time"
)

// date determines the day that the text names. It returns noon on that day, and notes that explain
// any assumptions.
func (p *phrase) date(now time.Time) (time.Time, []string, error) {
	today := midday(now)
	if p.away != nil && p.day != nil { // "a week from friday", "heute in einer Woche"
		alone := *p
		alone.away = nil
		found, notes, err := alone.date(now)
		return found.AddDate(0, 0, p.away.days), notes, err
	}
	if p.away != nil { // "in two days at 7"
		return addMonths(today, p.away.months).AddDate(0, 0, p.away.days), nil, nil
	}
	said := p.day
	switch said.kind {
	case fromToday:
		found := today.AddDate(0, 0, said.offset)
		return found, nil, p.matches(found)
	case onDate:
		return p.onDate(today)
	case onDayOfMonth:
		for n := range 12 {
			found := time.Date(today.Year(), today.Month()+time.Month(n), said.date, 12, 0, 0, 0, now.Location())
			if found.Day() == said.date && !found.Before(today) {
				return found, nil, p.matches(found)
			}
		}
	}
	return p.onWeekday(now, today)
}

// onDate returns the date in the text, or the next date with this day and month if the text has no
// year.
func (p *phrase) onDate(today time.Time) (time.Time, []string, error) {
	said := *p.day
	if said.offset == swapped {
		other := said
		other.date, other.month = int(said.month), time.Month(said.date)
		return today, nil, &Ambiguous{Text: p.text, Readings: []string{date(said.date, int(said.month)), date(other.date, int(other.month))}}
	}
	year := cmp.Or(said.year, today.Year())
	for range 9 { // leap years are at most eight years apart
		found := time.Date(year, said.month, said.date, 12, 0, 0, 0, today.Location())
		exists := said.month >= 1 && said.month <= 12 && found.Month() == said.month && found.Day() == said.date
		switch {
		case exists && said.year == 0 && found.Before(today), !exists && said.year == 0 && said.month == time.February && said.date == 29:
			year++
			continue
		case !exists:
			return found, nil, fmt.Errorf("%q: there is no such day", p.text)
		}
		var notes []string
		if year != today.Year() && said.year == 0 {
			notes = append(notes, fmt.Sprintf("the next such date is in the year %d", year))
		}
		return found, notes, p.matches(found)
	}
	return today, nil, fmt.Errorf("%q: there is no such day", p.text)
}

// matches returns an [Ambiguous] error if the text names a weekday and the date is not on it.
func (p *phrase) matches(found time.Time) error {
	if p.named == nil || p.named.weekday == found.Weekday() {
		return nil
	}
	ahead := (int(p.named.weekday) - int(found.Weekday()) + 7) % 7
	if ahead > 3 {
		ahead -= 7
	}
	return &Ambiguous{Text: p.text, Readings: []string{Day(found), Day(found.AddDate(0, 0, ahead))}}
}

// onWeekday returns the date of the weekday in the phrase. A plain "friday" means the next Friday,
// or today if today is Friday and the time of day has not passed.
func (p *phrase) onWeekday(now, today time.Time) (time.Time, []string, error) {
	said := p.day
	if p.named != nil {
		return today, nil, p.repeatError("days")
	}
	ahead := (int(said.weekday) - int(today.Weekday()) + 7) % 7
	found := today.AddDate(0, 0, ahead)
	next := today.AddDate(0, 0, (ahead+6)%7+1)
	switch said.kind {
	case lastWeekday:
		return today.AddDate(0, 0, -(6-ahead)%7-1), nil, nil
	case weekdayIn:
		monday := today.AddDate(0, 0, said.offset-(int(today.Weekday())+6)%7)
		return monday.AddDate(0, 0, (int(said.weekday)+6)%7), nil, nil
	case nextWeekday:
		if sunday := (7 - int(today.Weekday())) % 7; ahead > 0 && ahead <= sunday {
			return next, []string{fmt.Sprintf("that is the next %s, not the one on %s", next.Weekday(), Day(next.AddDate(0, 0, 7)))}, nil
		}
		return next, nil, nil
	}
	switch {
	case ahead > 0 || said.offset > 0:
		return next, nil, nil
	case p.clock == nil:
		return today, nil, &Ambiguous{Text: p.text, Readings: []string{"today, " + Day(today), Day(next)}}
	}
	if at, _ := local(today.Year(), today.Month(), today.Day(), *p.clock, now.Location()); at.After(now) && !p.clock.midnight {
		return found, []string{"that is today"}, nil
	}
	return next, []string{"that time has passed today, so it means a week from now"}, nil
}
