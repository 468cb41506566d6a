package calendar

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"marvin/tools/internal/repeat"
)

// observance is a STANDARD or DAYLIGHT part of a VTIMEZONE. It contains a UTC offset and the times
// at which the offset begins to apply.
type observance struct {
	summer     bool
	properties entry
}

// definedZone builds the named time zone from its VTIMEZONE in the calendar text. It returns nil on
// failure.
func definedZone(text, name string) *time.Location {
	var changes []change
	for _, one := range observances(text, name) {
		if changes = append(changes, one.changes()...); len(changes) > mostChanges {
			return nil
		}
	}
	if len(changes) == 0 {
		return nil
	}
	slices.SortStableFunc(changes, func(a, b change) int { return a.at.Compare(b.at) })
	zone, err := time.LoadLocationFromTZData(name, zoneData(changes))
	if err != nil {
		return nil
	}
	return zone
}

// mostChanges is the maximum number of clock changes in a zone. A zone with two changes per year
// has about 260 between 1970 and 2100.
const mostChanges = 5000

// observances returns the STANDARD and DAYLIGHT parts of the named VTIMEZONE.
func observances(text, name string) []observance {
	var found []observance
	inZone, current := false, (*observance)(nil)
	zoneName := ""
	var parts []observance
	for _, line := range contentLines(text) {
		one := parseProperty(line.text)
		value := strings.ToUpper(strings.TrimSpace(one.value))
		switch {
		case one.name == "BEGIN" && value == "VTIMEZONE":
			inZone, zoneName, parts = true, "", nil
		case !inZone:
		case one.name == "END" && value == "VTIMEZONE":
			if zoneName == name {
				found = append(found, parts...)
			}
			inZone, current = false, nil
		case one.name == "BEGIN" && (value == "STANDARD" || value == "DAYLIGHT"):
			current = &observance{summer: value == "DAYLIGHT"}
		case one.name == "END" && current != nil:
			parts, current = append(parts, *current), nil
		case current != nil:
			current.properties.properties = append(current.properties.properties, one)
		case one.name == "TZID":
			zoneName = strings.TrimSpace(one.value)
		}
	}
	return found
}

type change struct {
	at       time.Time
	from, to int // seconds east of Greenwich
	summer   bool
	name     string
}

// Rules are evaluated only up to this time, because a rule can repeat forever.
var until = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

func (o observance) changes() []change {
	from, ok := offset(o.properties.get("TZOFFSETFROM").value)
	to, alsoOK := offset(o.properties.get("TZOFFSETTO").value)
	begin, _, dated := parseStamp(strings.TrimSpace(o.properties.get("DTSTART").value), time.UTC, time.UTC)
	if !ok || !alsoOK || !dated {
		return nil
	}
	walls := []time.Time{begin}
	for _, one := range o.properties.properties {
		switch one.name {
		case "RRULE":
			walls = append(walls, o.follow(one.value, begin, from)...)
		case "RDATE":
			for value := range strings.SplitSeq(one.value, ",") {
				if wall, _, ok := parseStamp(value, time.UTC, time.UTC); ok {
					walls = append(walls, wall)
				}
			}
		}
	}
	var all []change
	name := strings.TrimSpace(o.properties.get("TZNAME").value)
	for _, wall := range walls {
		all = append(all, change{wall.Add(-time.Duration(from) * time.Second), from, to, o.summer, name})
	}
	return all
}

// follow evaluates a rule, and returns the times of its clock changes. It skips the years before
// 1970 to save time, because Outlook's rules begin in 1601.
func (o observance) follow(value string, begin time.Time, from int) []time.Time {
	defer func() { _ = recover() }() // rrule-go panics for some rules
	option, err := rrule.StrToROptionInLocation(value, time.UTC)
	if err != nil || option.Freq != rrule.YEARLY {
		return nil
	}
	if begin.Year() < 1970 && option.Interval <= 1 && option.Count == 0 {
		begin = time.Date(1970, begin.Month(), 1, begin.Hour(), begin.Minute(), begin.Second(), 0, time.UTC)
	}
	// UNTIL is in UTC, but the rule's other times are local. Convert UNTIL to local time with
	// TZOFFSETFROM.
	if !option.Until.IsZero() {
		option.Until = option.Until.Add(time.Duration(from) * time.Second)
	}
	if repeat.Steps(option, until.Sub(begin).Hours()) > repeat.MaxSteps {
		return nil
	}
	option.Dtstart = begin
	rule, err := rrule.NewRRule(*option)
	if err != nil {
		return nil
	}
	return rule.Between(begin, until, true)
}

// offset parses a UTC offset such as "+0100" or "-053000".
func offset(text string) (seconds int, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) != 5 && len(text) != 7 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	number, err := strconv.Atoi((text[1:] + "00")[:6])
	if err != nil || number >= 250000 {
		return 0, false
	}
	seconds = number/10000*3600 + number/100%100*60 + number%100
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// zoneData encodes clock changes in the format of time zone files (RFC 8536). The time package has
// no other way to create a zone with clock changes.
func zoneData(changes []change) []byte {
	type state struct {
		offset int
		summer bool
		name   string
	}
	states := []state{{offset: changes[0].from}}
	var times, kinds []byte
	for _, one := range changes {
		next := state{one.to, one.summer, one.name[:min(len(one.name), 10)]}
		at := slices.Index(states, next)
		if at < 0 && len(states) < 200 {
			at, states = len(states), append(states, next)
		}
		times = binary.BigEndian.AppendUint64(times, uint64(one.at.Unix()))
		kinds = append(kinds, byte(max(at, 0)))
	}
	var described, names []byte
	for _, one := range states {
		summer := byte(0)
		if one.summer {
			summer = 1
		}
		described = binary.BigEndian.AppendUint32(described, uint32(int32(one.offset)))
		described = append(described, summer, byte(min(len(names), 200)))
		if len(names) < 200 {
			names = append(names, one.name...)
			names = append(names, 0)
		}
	}
	header := func(counts ...int) []byte {
		out := append([]byte("TZif2"), make([]byte, 15)...)
		for _, count := range counts {
			out = binary.BigEndian.AppendUint32(out, uint32(count))
		}
		return out
	}
	out := append(header(0, 0, 0, 0, 0, 0), header(0, 0, 0, len(kinds), len(states), len(names))...)
	for _, block := range [][]byte{times, kinds, described, names, []byte("\n\n")} {
		out = append(out, block...)
	}
	return out
}
