package calendar

import (
	"strconv"
	"strings"
	"time"
)

// rewrite replaces properties of one event, and preserves every other byte of the calendar. For
// each property name, the map contains the new line, or "" to remove the property. Missing
// properties are added at the end of the event, in the given order.
func rewrite(text string, one entry, lines map[string]string, order []string) string {
	ending := "\n"
	if strings.Contains(text[one.start:one.end], "\r\n") {
		ending = "\r\n"
	}
	var out strings.Builder
	done := map[string]bool{}
	depth := 0
	within := text[one.start:one.end]
	for _, line := range contentLines(within) {
		property := parseProperty(line.text)
		raw := within[line.start:line.end]
		replacement, changed := lines[property.name]
		switch {
		case property.name == "BEGIN":
			depth++
		case property.name == "END":
			if depth == 1 {
				for _, name := range order {
					if !done[name] && lines[name] != "" {
						out.WriteString(fold(lines[name], ending))
					}
				}
			}
			depth--
		case depth == 1 && changed:
			if !done[property.name] && replacement != "" {
				out.WriteString(fold(replacement, ending))
			}
			done[property.name] = true
			continue
		}
		out.WriteString(raw)
	}
	return text[:one.start] + out.String() + text[one.end:]
}

// markChanged adds new SEQUENCE and LAST-MODIFIED lines to the given map. It returns the order of
// properties for [rewrite].
func markChanged(one entry, now time.Time, lines map[string]string) []string {
	sequence, _ := strconv.Atoi(strings.TrimSpace(one.get("SEQUENCE").value))
	lines["SEQUENCE"] = "SEQUENCE:" + strconv.Itoa(sequence+1)
	lines["LAST-MODIFIED"] = "LAST-MODIFIED:" + now.UTC().Format("20060102T150405Z")
	return []string{"DTSTART", "DTEND", "SUMMARY", "LOCATION", "DESCRIPTION", "RRULE", "SEQUENCE", "LAST-MODIFIED"}
}

// entryOf finds the VEVENT of an event or series. If instance is not zero, entryOf finds the VEVENT
// that replaces the occurrence at that time.
func entryOf(text, uid string, instance time.Time, local *time.Location) (entry, bool) {
	events, _ := scan(text)
	zones := newZones(text, local)
	for _, one := range events {
		replaces, _, isOne := one.get("RECURRENCE-ID").parseTime(zones, local)
		if one.get("UID").text() == uid && (instance.IsZero() && !isOne || isOne && replaces.Equal(instance)) {
			return one, true
		}
	}
	return entry{}, false
}

// removeOccurrence removes one occurrence from a series. If another VEVENT replaces the occurrence,
// that VEVENT is removed, too.
func removeOccurrence(text, uid string, instance time.Time, allDay bool, local *time.Location) string {
	if replaced, ok := entryOf(text, uid, instance, local); ok {
		text = text[:replaced.start] + text[replaced.end:]
	}
	series, ok := entryOf(text, uid, time.Time{}, local)
	if !ok {
		return text
	}
	line := stamp("EXDATE", instance, allDay, series.get("DTSTART"))
	within := text[series.start:series.end]
	at := strings.LastIndex(strings.ToUpper(within), "END:VEVENT")
	ending := "\n"
	if strings.Contains(within, "\r\n") {
		ending = "\r\n"
	}
	return text[:series.start] + within[:at] + fold(line, ending) + within[at:] + text[series.end:]
}
