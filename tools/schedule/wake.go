package schedule

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/persistence/personal"
	"marvin/persistence/schedules"
	"marvin/tools/internal/cron"
	"marvin/tools/internal/proc"
)

// lookMarker marks the crontab line that starts missed runs.
const lookMarker = "marvin-schedules"

// Starter identifies the program that starts scheduled runs while no Marvin process is running.
type Starter struct {
	By  string // "cron", "systemd", or "" if nothing can start the runs
	Why string // if By is "", the reason; otherwise a limitation, or ""
}

// Starter returns the program that starts the scheduled runs. The program is cron or, if cron is
// unusable, the user's systemd. Starter changes neither the crontab nor the timers.
func (s *Service) Starter(ctx context.Context, environ []string) Starter {
	why := s.noCron(environ)
	if why == "" {
		return Starter{By: "cron"}
	}
	return s.timerStarter(ctx, environ, why)
}

// timerStarter reports whether the user's systemd timers can start runs. noCron is the reason why
// cron is unusable.
func (s *Service) timerStarter(ctx context.Context, environ []string, noCron string) Starter {
	if s.Program == "" || untrusted(s.Program, environ) {
		return Starter{Why: noCron}
	}
	timers := s.timers(environ)
	if why := timers.NoTimers(ctx); why != "" {
		return Starter{Why: noCron + ", and " + why}
	}
	if !timers.OutlivesLogin() {
		return Starter{By: "systemd", Why: "only while you are logged in; to change that, run loginctl enable-linger"}
	}
	return Starter{By: "systemd"}
}

// wake updates the crontab and the timers, and returns the program that starts scheduled runs. Fire
// decides which runs are due, so an unnecessary crontab line or timer does no harm. A crontab line
// for the wrong time zone can only delay a run.
func (s *Service) wake(ctx context.Context, environ []string) Starter {
	all, err := s.Store.All()
	if err != nil && len(all) == 0 {
		return Starter{Why: err.Error()}
	}
	all = slices.DeleteFunc(all, func(entry schedules.Entry) bool { return entry.Paused || entry.Next.IsZero() })
	why := s.wakeByCron(ctx, environ, all)
	found := Starter{By: "cron"}
	if why != "" {
		found = s.timerStarter(ctx, environ, why)
	}
	if err := s.wakeByTimers(ctx, environ, all, found.By == "systemd"); err != nil && found.By == "systemd" {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return Starter{Why: why + ", and the timers could not be changed (" + line + ")"}
	}
	return found
}

// wakeByCron writes the crontab lines. It returns the reason why cron does not run them, or "" if
// cron runs them.
func (s *Service) wakeByCron(ctx context.Context, environ []string, all []schedules.Entry) (why string) {
	// Write the lines even if the cron daemon is not running. The daemon can start later.
	if why = s.noCron(environ); s.Program == "" || !cron.Installed(environ) || untrusted(s.Program, environ) {
		return why
	}
	table := cron.Table{Environ: environ, Lock: personal.AlarmsOf(s.Store.Home).LockCrontab}
	zones := table.Zones(ctx, time.Local)
	var lines []cron.Line
	for _, entry := range all {
		for _, at := range lineTimes(entry.Times, entry.Next, s.now(), zones) {
			lines = append(lines, cron.Line{Schedule: at, Command: s.command(environ, entry.ID), Marker: entry.ID})
		}
	}
	if len(lines) > 0 {
		lines = append(lines, cron.Line{Schedule: "3,18,33,48 * * * *", Command: s.command(environ, "--due"), Marker: lookMarker})
	}
	present, err := table.Lines(ctx)
	if err == nil && slices.Equal(slices.DeleteFunc(present, func(line cron.Line) bool { return !s.owns(line) }), lines) {
		return why
	}
	if _, err := table.Change(ctx, s.owns, lines...); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return "the crontab could not be changed (" + line + ")"
	}
	return why
}

func (s *Service) noCron(environ []string) string {
	if s.Program == "" {
		return "Marvin cannot find its own program file"
	}
	if untrusted(s.Program, environ) {
		return "Marvin's own program file is " + s.Program + ", which this project can change; install Marvin elsewhere"
	}
	return s.NoCron(environ)
}

// untrusted returns true if the project can write to the program file. Cron would run whatever file
// is there, with all rights.
func untrusted(program string, environ []string) bool {
	_, err := proc.Find(program, environ)
	return errors.As(err, new(*proc.Untrusted))
}

// command returns the command line for cron's shell.
func (s *Service) command(environ []string, what string) string {
	var words []string
	for _, assignment := range s.places(environ) {
		name, value, _ := strings.Cut(assignment, "=")
		words = append(words, name+"="+cron.Quote(value))
	}
	return fmt.Sprintf("%s %s schedule fire %s", strings.Join(words, " "), cron.Quote(s.Program), what)
}

// places returns the environment variables that determine where Marvin stores its files. Cron and
// systemd set only HOME, which they read from the password file. That value can differ from
// Marvin's HOME.
func (s *Service) places(environ []string) []string {
	all := []string{"HOME=" + s.Store.Home.User}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		if value := proc.Lookup(environ, name); filepath.IsAbs(value) {
			all = append(all, name+"="+value)
		}
	}
	return all
}

// owns returns true if a crontab line belongs to this home directory. The line's executable does
// not matter.
func (s *Service) owns(line cron.Line) bool {
	what := line.Marker
	if what == lookMarker {
		what = "--due"
	}
	return strings.HasPrefix(line.Command, "HOME="+cron.Quote(s.Store.Home.User)+" ") && strings.HasSuffix(line.Command, " schedule fire "+what)
}

// lineTimes returns the time fields of one entry's crontab lines. Cron could use any of the given
// zones.
func lineTimes(times schedules.Times, next, now time.Time, zones []*time.Location) (all []string) {
	if times.Every > 0 {
		return []string{everyFields(times)}
	}
	if times.Rule == "" {
		return cron.Schedules(next, zones...)
	}
	own := now.Location()
	if place, err := time.LoadLocation(times.Zone); times.Zone != "" && err == nil {
		own = place
	}
	for _, zone := range zones {
		at := next.In(zone)
		fields := fmt.Sprintf("%d %d * * %s", at.Minute(), at.Hour(), weekdays(times.Rule))
		switch {
		case strings.Contains(times.Rule, "HOURLY") || strings.Contains(times.Rule, "BYHOUR") || strings.Contains(times.Rule, "BYMINUTE"):
			fields = "* * * * *"
		case !sameTimes(own, zone, now):
			fields = fmt.Sprintf("%d * * * *", at.Minute())
		}
		if !slices.Contains(all, fields) {
			all = append(all, fields)
		}
	}
	return all
}

func everyFields(times schedules.Times) string {
	minute := times.Start.Minute()
	step := int(times.Every / time.Minute)
	switch {
	case times.Every%time.Hour == 0:
		return fmt.Sprintf("%d * * * *", minute)
	case times.Every%time.Minute != 0 || 60%step != 0:
		return "* * * * *"
	}
	var minutes []string
	for at := minute % step; at < 60; at += step {
		minutes = append(minutes, strconv.Itoa(at))
	}
	return strings.Join(minutes, ",") + " * * * *"
}

// sameTimes reports whether two zones show the same time all year.
func sameTimes(a, b *time.Location, now time.Time) bool {
	for month := range 12 {
		at := now.AddDate(0, month, 0)
		_, here := at.In(a).Zone()
		if _, there := at.In(b).Zone(); here != there {
			return false
		}
	}
	return true
}

// weekdays returns the weekday field of a crontab line: the days of a weekly rule, or "*".
func weekdays(rule string) string {
	var days []string
	for part := range strings.SplitSeq(rule, ";") {
		if list, ok := strings.CutPrefix(part, "BYDAY="); ok && strings.HasPrefix(rule, "FREQ=WEEKLY") {
			for name := range strings.SplitSeq(list, ",") {
				if at := slices.Index([]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}, name); at >= 0 {
					days = append(days, strconv.Itoa(at))
				}
			}
		}
	}
	if len(days) == 0 {
		return "*"
	}
	slices.Sort(days)
	return strings.Join(days, ",")
}
