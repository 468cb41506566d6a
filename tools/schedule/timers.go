package schedule

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/persistence/personal"
	"marvin/persistence/schedules"
	"marvin/tools/internal/usertimer"
)

// timers returns the table of the user's systemd timers.
func (s *Service) timers(environ []string) usertimer.Table {
	return usertimer.Table{Environ: environ, Home: s.Store.Home.User, Lock: personal.AlarmsOf(s.Store.Home).LockCrontab}
}

// wakeByTimers writes the timers of the entries. If wanted is false, it removes all timers.
func (s *Service) wakeByTimers(ctx context.Context, environ []string, all []schedules.Entry, wanted bool) error {
	service := usertimer.Service{
		Prefix: "marvin-schedule", About: "Run a schedule of Marvin", Program: s.Program, Args: []string{"schedule", "fire"}, Env: s.places(environ),
	}
	var timers []usertimer.Timer
	if wanted && len(all) > 0 {
		for _, entry := range all {
			timers = append(timers, usertimer.Timer{Name: entry.ID, Times: calendar(entry.Times, entry.Next, s.now())})
		}
		// Like the crontab line with lookMarker, this timer starts missed runs.
		timers = append(timers, usertimer.Timer{Name: "--due", Times: []string{"*-*-* *:03/15:00"}, Begin: true})
	}
	return s.timers(environ).Set(ctx, service, timers)
}

// calendar returns an entry's times as values of systemd's OnCalendar setting. Unlike a crontab
// line, a value can name its time zone.
func calendar(times schedules.Times, next, now time.Time) (all []string) {
	if times.Rule == "" && times.Every == 0 {
		return []string{next.UTC().Format("2006-01-02 15:04:05") + " UTC"}
	}
	zone := now.Location()
	if place, err := time.LoadLocation(times.Zone); times.Zone != "" && err == nil {
		zone = place
	}
	name := ""
	if zone != time.Local {
		name = " " + zone.String()
	}
	for _, fields := range lineTimes(times, next, now, []*time.Location{zone}) {
		part := strings.Fields(fields)
		all = append(all, fmt.Sprintf("%s*-*-* %s:%s:00%s", daysOf(part[4]), part[1], part[0], name))
	}
	return all
}

// daysOf converts the weekday field of a crontab line to the weekdays of OnCalendar=.
func daysOf(field string) string {
	if field == "*" {
		return ""
	}
	names := strings.Split("Sun Mon Tue Wed Thu Fri Sat", " ")
	var days []string
	for day := range strings.SplitSeq(field, ",") {
		if at := slices.Index(strings.Split("0123456", ""), day); at >= 0 {
			days = append(days, names[at])
		}
	}
	return strings.Join(days, ",") + " "
}
