package cron

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"time"
)

const systemZone = "/etc/localtime"

// Schedules converts a moment to each zone, and returns the schedules without duplicates.
func Schedules(moment time.Time, zones ...*time.Location) []string {
	var all []string
	for _, zone := range zones {
		if schedule := At(moment.In(zone)); !slices.Contains(all, schedule) {
			all = append(all, schedule)
		}
	}
	return all
}

// Zones returns the zones that cron could use for an appended line: the system's zone, Marvin's own
// zone, and the last CRON_TZ. Cron usually uses the system's zone, even if TZ is set in a shell.
// Cronie obeys CRON_TZ, but other cron daemons only pass it to the commands.
//
// Marvin cannot know which zone cron uses, so callers add a line for each zone. The command in each
// line checks the time.
func (t Table) Zones(ctx context.Context, own *time.Location) []*time.Location {
	path := cmp.Or(t.System, systemZone)
	system := time.UTC // if the zone file is missing or invalid
	if data, err := os.ReadFile(path); err == nil {
		if zone, err := time.LoadLocationFromTZData("", data); err == nil {
			system = zone
		}
	}
	zones := []*time.Location{system, own}
	content, err := t.read(ctx)
	if err != nil {
		return zones // Table.Change reports the error
	}
	for line := range strings.Lines(string(content)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.TrimSpace(name) != "CRON_TZ" {
			continue
		}
		if zone, err := time.LoadLocation(strings.Trim(strings.TrimSpace(value), `"'`)); err == nil {
			zones = append(zones[:2], zone) // the last CRON_TZ applies
		}
	}
	return zones
}
