package schedule

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
)

// systemd and Marvin compute the same next time, in each zone.
func TestTheTimersOfSystemdElapseWhenMarvinIsDue(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	begin := time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC) // the day before the clocks change in Europe
	for n, said := range []string{"every weekday at 8:05", "every day at 2:30", "every monday and sunday at 23:59", "every 2 hours", "every 30 minutes", "2026-12-24 17:00"} {
		for z, zone := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata"} {
			if testing.Short() && (z+n)%5 > 1 {
				continue // each rule with two of the zones, and 2:30 in Berlin, where the clocks change
			}
			times, _, err := parseTimes(said, zone, begin)
			if err != nil {
				t.Fatal(err)
			}
			next, _ := Next(times, begin, begin)
			all := calendar(times, next, begin)
			out, err := exec.Command(program, "calendar", "--base-time=2026-10-24 12:00:00 UTC", "--iterations=60", all[0]).CombinedOutput()
			if want := next.UTC().Format("2006-01-02 15:04:05"); err != nil || len(all) != 1 || !strings.Contains(string(out), want) {
				t.Errorf("%s in %s is %s, which does not elapse at %s: %v\n%s", said, zone, all, want, err, out)
			}
		}
	}
}

// Without cron the user's systemd starts the runs; without both, an open Marvin does.
func TestWithoutCronATimerStartsTheRuns(t *testing.T) {
	home := t.TempDir()
	script := "#!/bin/sh\n[ \"$4\" = show ] && echo UnitPath=" + home + "/.config/systemd/user\nexit 0\n"
	if err := disktest.WriteProgram(filepath.Join(home, "systemctl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + home, "XDG_DATA_HOME=/data"}
	s := serviceAt(home, saturday)
	s.Program = "/usr/bin/marvin"
	entry, _, err := s.Plan(Request{When: "every weekday at 8:05", Prompt: "$(touch owned); 100%", Dir: home})
	if err != nil {
		t.Fatal(err)
	}
	entry, by, err := s.Add(t.Context(), environ, entry)
	if err != nil || by.By != "systemd" || s.Starter(t.Context(), environ) != by {
		t.Fatal(by, err)
	}
	units, _ := filepath.Glob(home + "/.config/systemd/user/*")
	all := ""
	for _, unit := range units {
		text, _ := os.ReadFile(unit)
		all += string(text)
	}
	if len(units) != 3 || !strings.Contains(all, "OnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 8:5:00") || !strings.Contains(all, `Environment="XDG_DATA_HOME=/data"`) || strings.Contains(all, "owned") {
		t.Errorf("%s:\n%s", units, all)
	}
	s.NoCron = func([]string) string { return "" } // now cron works
	if _, err := s.Pause(t.Context(), environ, entry.ID, false); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(home + "/.config/systemd/user/*"); len(left) > 0 {
		t.Errorf("with cron there are still %s", left)
	}
	if by := s.Starter(t.Context(), []string{"PATH=/nowhere"}); by.By != "cron" {
		t.Error(by)
	}
	s.NoCron = func([]string) string { return "no cron" }
	if by := s.Starter(t.Context(), []string{"PATH=/nowhere"}); by.By != "" || by.String() != "no cron, and systemd is not installed, so schedules run only while Marvin is open" {
		t.Error(by)
	}
}
