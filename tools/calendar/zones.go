package calendar

import (
	_ "embed" // for windows.txt
	"strings"
	"time"
)

//go:embed windows.txt
var windowsNames string

// zones resolves the time zone names in a calendar.
type zones struct {
	text    string // the calendar, which may define its own zones
	local   *time.Location
	known   map[string]*time.Location
	unknown []string // names of unknown zones; times in these zones count as local
}

// mostZones is the maximum number of zone names for one calendar. All further names resolve to the
// local zone.
const mostZones = 50

func newZones(text string, local *time.Location) *zones {
	return &zones{text: text, local: local, known: map[string]*time.Location{}}
}

// find returns the zone that a TZID names: a zone in the time zone database, a zone defined in the
// calendar, or a Windows zone. A prefix does not matter, so
// /freeassociation.sourceforge.net/Europe/Berlin means Europe/Berlin. For an unknown TZID, the
// result is the local zone.
func (z *zones) find(name string) *time.Location {
	if zone, known := z.known[name]; known {
		return zone
	}
	if len(z.known) >= mostZones {
		return z.local
	}
	zone := z.search(name)
	if zone == nil {
		zone = z.local
		z.unknown = append(z.unknown, name)
	}
	z.known[name] = zone
	return zone
}

func (z *zones) search(name string) *time.Location {
	if zone, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
		return zone
	}
	if zone := definedZone(z.text, name); zone != nil {
		return zone
	}
	for line := range strings.Lines(windowsNames) {
		windows, place, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && strings.EqualFold(windows, name) {
			zone, _ := time.LoadLocation(place)
			return zone
		}
	}
	parts := strings.Split(name, "/")
	for n := min(3, len(parts)-1); n >= 2; n-- {
		if zone, err := time.LoadLocation(strings.Join(parts[len(parts)-n:], "/")); err == nil {
			return zone
		}
	}
	return nil
}
