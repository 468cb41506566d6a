package calendar

import (
	_ "embed" // the names of Windows
	"strings"
	"time"
)

//go:embed windows.txt
var windowsNames string

// zones finds the time zones that a calendar names. Nil knows those of this machine.
type zones struct {
	text    string // of the calendar, which may describe zones of its own
	local   *time.Location
	known   map[string]*time.Location
	unknown []string // names that mean nothing here; their times count as local
}

// mostZones limits searches of a calendar for the meaning of a name.
const mostZones = 50

func newZones(text string, local *time.Location) *zones {
	return &zones{text: text, local: local, known: map[string]*time.Location{}}
}

// find resolves a TZID: a zone of the time zone database, one described in the calendar, or one of
// Windows. A name that ends with a database name, such as
// /freeassociation.sourceforge.net/Europe/Berlin, is that zone.
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
	if zone := described(z.text, name); zone != nil {
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
