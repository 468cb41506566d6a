package cron

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"
)

// systemZone is where a system keeps its time zone.
const systemZone = "/etc/localtime"

// Schedules are the lines' times for a moment in each of the zones, each once.
func Schedules(moment time.Time, zones ...*time.Location) []string {
	var all []string
	for _, zone := range zones {
		if schedule := At(moment.In(zone)); !slices.Contains(all, schedule) {
			all = append(all, schedule)
		}
	}
	return all
}

// Zones are the time zones in which cron may read a line at the end of the table. It has its
// own, which is the system's and not that of a shell with TZ=; started in a container it has
// the container's, which is Marvin's; and cronie follows CRON_TZ in the table, which others
// take for a variable of the commands. Nothing tells which it is. So what is started by a
// line looks at the clock again, and a line too many does no harm.
func (t Table) Zones(ctx context.Context, own *time.Location) []*time.Location {
	path := t.System
	if path == "" {
		path = systemZone
	}
	system := time.UTC // which it is where there is no such file
	if data, err := os.ReadFile(path); err == nil {
		if zone, err := time.LoadLocationFromTZData("", data); err == nil {
			system = zone
		}
	}
	zones := []*time.Location{system, own}
	content, err := t.read(ctx)
	if err != nil {
		return zones // a change reports the error
	}
	for line := range strings.Lines(string(content)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.TrimSpace(name) != "CRON_TZ" {
			continue
		}
		if zone, err := time.LoadLocation(strings.Trim(strings.TrimSpace(value), `"'`)); err == nil {
			zones = append(zones[:2], zone) // the last one counts
		}
	}
	return zones
}
