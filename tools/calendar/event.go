package calendar

import (
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"marvin/tools/internal/repeat"
)

// event is a parsed VEVENT.
type event struct {
	uid, title, place string
	start, end        time.Time // in the event's time zone
	allDay            bool
	instance          time.Time  // start of the occurrence that this event replaces (RECURRENCE-ID), or zero
	rules             []property // RRULE, RDATE, EXDATE
	cancelled         bool
	zones             *zones
	file              string // name of the file, if Marvin's TypeScript version stored the event
}

type occurrence struct {
	event
	repeats bool
}

// read returns a calendar's events. It skips and counts events without a valid start.
func read(text string, zone *time.Location) (events []event, unreadable int) {
	found, _ := scan(text)
	zones := newZones(text, zone)
	for _, one := range found {
		start, allDay, ok := one.get("DTSTART").parseTime(zones, zone)
		if !ok {
			unreadable++
			continue
		}
		read := event{uid: one.get("UID").text(), title: one.get("SUMMARY").text(), place: one.get("LOCATION").text(), start: start, allDay: allDay, end: start, zones: zones}
		if allDay {
			read.end = start.AddDate(0, 0, 1)
		}
		if end, _, ok := one.get("DTEND").parseTime(zones, zone); ok && end.After(start) {
			read.end = end
		} else if length, ok := period(one.get("DURATION").value); ok {
			read.end = start.Add(length)
		}
		read.instance, _, _ = one.get("RECURRENCE-ID").parseTime(zones, zone)
		read.cancelled = strings.EqualFold(strings.TrimSpace(one.get("STATUS").value), "CANCELLED")
		for _, rule := range one.properties {
			switch rule.name {
			case "RRULE", "RDATE", "EXDATE":
				read.rules = append(read.rules, rule)
			}
		}
		events = append(events, read)
	}
	return events, unreadable
}

// parseTime parses the property's value, a DATE or DATE-TIME. A value with an unknown zone is read
// as local time.
func (p property) parseTime(zones *zones, local *time.Location) (moment time.Time, allDay, ok bool) {
	zone := local
	if name := p.parameters["TZID"]; name != "" {
		zone = zones.find(name)
	}
	return parseStamp(strings.TrimSpace(p.value), zone, local)
}

func parseStamp(value string, zone, local *time.Location) (moment time.Time, allDay, ok bool) {
	if moment, err := time.ParseInLocation("20060102", value, local); err == nil {
		return moment, true, true
	}
	if moment, err := time.Parse("20060102T150405Z", value); err == nil {
		return moment, false, true // a series in UTC stays in UTC when the local clocks change
	}
	moment, err := time.ParseInLocation("20060102T150405", value, zone)
	return moment, false, err == nil
}

// period parses a DURATION value such as "P1DT2H30M".
func period(value string) (time.Duration, bool) {
	rest, ok := strings.CutPrefix(value, "P")
	if !ok {
		return 0, false
	}
	var total time.Duration
	number, inTime := 0, false
	for _, sign := range rest {
		unit := time.Duration(0)
		switch {
		case sign >= '0' && sign <= '9' && number < 1e6:
			number = number*10 + int(sign-'0')
			continue
		case sign == 'T':
			inTime = true
			continue
		case sign == 'W':
			unit = 7 * 24 * time.Hour
		case sign == 'D':
			unit = 24 * time.Hour
		case sign == 'H':
			unit = time.Hour
		case sign == 'M' && inTime:
			unit = time.Minute
		case sign == 'S':
			unit = time.Second
		default:
			return 0, false
		}
		total += time.Duration(number) * unit
		number = 0
	}
	return total, total > 0
}

// overlapping returns all occurrences that overlap the given period, sorted by start time.
func overlapping(events []event, from, to time.Time) []occurrence {
	var all []occurrence
	for _, one := range events {
		if len(one.rules) == 0 || !one.instance.IsZero() {
			all = append(all, occurrence{event: one})
			continue
		}
		for _, start := range one.repetitions(events, from.Add(one.start.Sub(one.end)), to) {
			again := one
			again.start, again.end = start, start.Add(one.end.Sub(one.start))
			if one.allDay { // a day of 23 or 25 hours
				again.end = start.AddDate(0, 0, int(one.end.Sub(one.start).Hours()+12)/24)
			}
			all = append(all, occurrence{event: again, repeats: true})
		}
	}
	all = slices.DeleteFunc(all, func(one occurrence) bool {
		return !one.start.Before(to) || one.end.Before(from) || one.end.Equal(from) && one.end.After(one.start)
	})
	slices.SortStableFunc(all, func(a, b occurrence) int { return a.start.Compare(b.start) })
	return all
}

// mostRepetitions is the maximum number of occurrences of one series in a result.
const mostRepetitions = 400

// repetitions returns a series's start times in the given period, omitting replaced occurrences. If
// the rule is invalid, the result is only the first start.
func (e event) repetitions(events []event, from, to time.Time) (starts []time.Time) {
	defer func() {
		// For some rules (BYEASTER=400, the year 0), rrule-go panics with an index out of range.
		if recover() != nil {
			starts = []time.Time{e.start}
		}
	}()
	var set rrule.Set
	set.DTStart(e.start)
	for _, rule := range e.rules {
		if rule.name == "RRULE" {
			repeats, err := repeat.Rule(rule.value, e.start, to)
			if err != nil {
				return []time.Time{e.start}
			}
			set.RRule(repeats)
			continue
		}
		for value := range strings.SplitSeq(rule.value, ",") {
			one := property{parameters: rule.parameters, value: value}
			moment, _, ok := one.parseTime(e.zones, e.start.Location())
			switch {
			case ok && rule.name == "EXDATE":
				set.ExDate(moment)
			case ok:
				set.RDate(moment)
			}
		}
	}
	if set.GetRRule() == nil {
		set.RDate(e.start)
	}
	for _, other := range events {
		if other.uid == e.uid && !other.instance.IsZero() {
			set.ExDate(other.instance)
		}
	}
	starts = set.Between(from, to, true)
	return starts[:min(len(starts), mostRepetitions)]
}
