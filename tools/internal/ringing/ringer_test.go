package ringing_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/persistence/personal"
	"marvin/tools/internal/proc"
)

func TestAnAlarmIsKeptWhateverCronSays(t *testing.T) {
	for name, one := range map[string]struct {
		spoil func(*machine)
		want  string // why cron cannot ring it
		spool string
	}{
		"cron works":      {func(*machine) {}, "", "30 14 20 11 * HOME='DIR/home' /opt/marvin ring-alarm tea # tea\n"},
		"no daemon":       {func(w *machine) { w.NoCron = func([]string) string { return "no cron daemon is running" } }, "no cron daemon is running", ""},
		"no program file": {func(w *machine) { w.Program = "" }, "Marvin cannot find its own program file", ""},
		"unreadable table": {
			func(w *machine) { w.write("bin/crontab", "#!/bin/sh\necho first >&2; echo second >&2; exit 1\n") },
			"the crontab could not be changed (crontab -l failed with exit code 1: first", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newMachine(t)
			one.spoil(w)
			noCron, err := w.Set(t.Context(), w.environ, personal.Alarm{Label: "tea", Time: w.now.Add(30 * time.Minute)})
			if err != nil || !strings.HasPrefix(noCron, one.want) || (noCron == "") != (one.want == "") || strings.Contains(noCron, "\n") {
				t.Errorf("cron will not ring it because %q, %v", noCron, err)
			}
			if got := strings.ReplaceAll(w.file("spool"), w.dir, "DIR"); w.left() != "tea" || strings.ReplaceAll(got, "'", "") != strings.ReplaceAll(one.spool, "'", "") {
				t.Errorf("kept %q; the crontab is %q", w.left(), got)
			}
		})
	}
}

func TestCronRunReadsAlarmFile(t *testing.T) {
	for name, one := range map[string]struct {
		before func(*machine)
		later  time.Duration // the delay until cron starts it
		seen   string
		left   string
		line   bool // the line stays in the crontab
	}{
		"at its time":         {func(*machine) {}, 30 * time.Minute, "⏰ tea\n14:30\n", "", false},
		"a little late":       {func(*machine) {}, 89 * time.Minute, "⏰ tea\n14:30\n", "", false},
		"hours late":          {func(*machine) {}, 3 * time.Hour, "", "tea", false},
		"in another year":     {func(*machine) {}, 0, "", "tea", true},
		"taken by a Marvin":   {func(w *machine) { _, _ = personal.AlarmsOf(w.Home).Take("tea") }, 30 * time.Minute, "", "", false},
		"a damaged file":      {func(w *machine) { w.write("home/.config/marvin/alarms/tea.json", "{") }, 30 * time.Minute, "", "?", true},
		"nothing was written": {func(w *machine) { _ = os.RemoveAll(w.dir + "/home") }, 30 * time.Minute, "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newMachine(t)
			w.set("tea", 30*time.Minute)
			one.before(w)
			w.now = w.now.Add(one.later)
			err := w.Ring(t.Context(), w.environ, "tea")
			if one.left == "?" {
				if err == nil || w.file("seen") != "" {
					t.Errorf("rang %q, %v", w.file("seen"), err)
				}
				return
			}
			if err != nil || w.file("seen") != one.seen || w.left() != one.left || (w.file("spool") != "") != one.line {
				t.Errorf("%v; showed %q, kept %q, the crontab is %q", err, w.file("seen"), w.left(), w.file("spool"))
			}
		})
	}
}

// Cron knows no seconds.
func TestRingWaitsForTheSecond(t *testing.T) {
	w := newMachine(t)
	w.now = w.now.Add(940 * time.Millisecond) // an alarm has whole seconds
	w.set("tea", 60*time.Millisecond)
	begun := time.Now()
	if err := w.Ring(t.Context(), w.environ, "tea"); err != nil || w.file("seen") == "" || time.Since(begun) < 60*time.Millisecond {
		t.Errorf("after %s: %q, %v", time.Since(begun), w.file("seen"), err)
	}
	w.set("egg", time.Minute)
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("the machine goes down"))
	if err := w.Ring(ctx, w.environ, "egg"); err == nil || err.Error() != "the machine goes down" || w.left() != "egg" {
		t.Errorf("%v, kept %q", err, w.left())
	}
}

func TestHoweverManyMarvinsRingItIsHeardOnce(t *testing.T) {
	w := newMachine(t)
	w.now = w.now.Add(980 * time.Millisecond)
	w.set("tea", 20*time.Millisecond)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := w.Ring(t.Context(), w.environ, "tea"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := w.file("seen"); got != "⏰ tea\n14:00\n" {
		t.Errorf("the desktop showed %q", got)
	}
}

func TestAlarmAndReminderText(t *testing.T) {
	for _, one := range []struct {
		alarm personal.Alarm
		want  string
	}{
		{personal.Alarm{Label: "tea"}, "⏰ tea\n14:00\n"},
		{personal.Alarm{Label: "tea", Message: "Pour"}, "⏰ tea\nPour\n"},
		{personal.Alarm{Label: "calremind_1_60", Message: "Dentist in 1 hour", Reminder: true}, "📅 Dentist in 1 hour\n14:00\n"},
	} {
		w := newMachine(t)
		one.alarm.Time = w.now
		if err := personal.AlarmsOf(w.Home).Save(one.alarm); err != nil {
			t.Fatal(err)
		}
		if err := w.Ring(t.Context(), w.environ, one.alarm.Label); err != nil || w.file("seen") != one.want {
			t.Errorf("%+v: %q, %v", one.alarm, w.file("seen"), err)
		}
	}
}

func TestOnlyTopicsOfTheUsersOwnAreRungAt(t *testing.T) {
	w := newMachine(t)
	var want []string
	for _, one := range []struct {
		topic personal.Subscription
		own   bool
	}{
		{personal.Subscription{Topic: "disk-alerts", Label: "Disk"}, false},
		{personal.Subscription{Topic: "alarm"}, false}, // its label counts, not its name
		{personal.Subscription{Topic: "phone-1", Label: "Reminders"}, true},
		{personal.Subscription{Topic: "phone-2", Label: "MARVIN"}, true},
		{personal.Subscription{Topic: "x9-k2", Generated: true}, true},
		{personal.Subscription{Topic: "amber-tiger-river-cloud-stone"}, true}, // of the Python Marvin
		{personal.Subscription{Topic: "owl-mountain-river-cloud-stone"}, true},
		{personal.Subscription{Topic: "amber-mountains-river-cloud-stone"}, false},
		{personal.Subscription{Topic: "amber-tiger-river-cloud"}, false},
		{personal.Subscription{Topic: "amber-tiger-river-cloud-st"}, false},
		{personal.Subscription{Topic: "amber-tiger-river-cloud-99999"}, false},
		{personal.Subscription{Topic: "Amber-tiger-river-cloud-stone"}, false},
	} {
		if _, err := personal.TopicsOf(w.Home.Profile("default")).Subscribe(one.topic); err != nil {
			t.Fatal(err)
		}
		if one.own {
			want = append(want, one.topic.Topic)
		}
	}
	if _, err := personal.TopicsOf(w.Home.Profile("another")).Subscribe(personal.Subscription{Topic: "theirs", Label: "alarms"}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, topic := range w.Topics("default") {
		got = append(got, topic.Topic)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("rings at %q, want %q", got, want)
	}
	w.set("tea", 0)
	if err := w.Ring(t.Context(), w.environ, "tea"); err != nil || len(w.pushed) != len(want) {
		t.Errorf("%v; sent %q", err, w.pushed)
	}
}

func TestTroubleWithOneWayLeavesTheOther(t *testing.T) {
	w := newMachine(t)
	if _, err := personal.TopicsOf(w.Home.Profile("default")).Subscribe(personal.Subscription{Topic: "phone", Label: "alarms"}); err != nil {
		t.Fatal(err)
	}
	w.status = http.StatusInternalServerError
	w.set("tea", 0)
	if err := w.Ring(t.Context(), w.environ, "tea"); err == nil || w.file("seen") == "" || w.left() != "" {
		t.Errorf("without ntfy: %v, showed %q, kept %q", err, w.file("seen"), w.left())
	}
	w.status = 0
	if err := os.Remove(w.dir + "/bin/notify-send"); err != nil {
		t.Fatal(err)
	}
	w.environ[0] = "PATH=" + w.dir + "/bin"
	w.write("bin/cat", "#!/bin/sh\nwhile IFS= read -r line; do echo \"$line\"; done < \"${1:-/dev/stdin}\"\n")
	w.set("egg", 0)
	if err := w.Ring(t.Context(), w.environ, "egg"); err != nil || w.left() != "" || len(w.pushed) != 2 {
		t.Errorf("without a desktop: %v, kept %q, sent %q", err, w.left(), w.pushed)
	}
	w.status = http.StatusInternalServerError
	w.set("last", 0)
	if err := w.Ring(t.Context(), w.environ, "last"); err == nil || w.left() != "last" {
		t.Errorf("no listener: %v, kept %q", err, w.left())
	}
}

func TestACancelTakesOnlyWhatIsOurs(t *testing.T) {
	w := newMachine(t)
	const theirs = "0 5 * * * backup # tea\n0 6 * * * HOME='/elsewhere' /opt/marvin ring-alarm tea # tea\n"
	w.write("spool", theirs)
	if _, err := w.Cancel(t.Context(), w.environ, "tea"); !errors.Is(err, personal.ErrNoAlarm) || w.file("spool") != theirs {
		t.Errorf("%v; the crontab is %q", err, w.file("spool"))
	}
	w.set("tea", time.Hour)
	if alarm, err := w.Cancel(t.Context(), w.environ, "tea"); err != nil || !alarm.Time.Equal(w.now.Add(time.Hour)) || w.file("spool") != theirs || w.left() != "" {
		t.Errorf("%+v, %v; the crontab is %q", alarm, err, w.file("spool"))
	}
	script := filepath.Join(w.Home.State, "alarms", "old.sh") // of the Python Marvin
	w.write(strings.TrimPrefix(script, w.dir+"/"), "#!/bin/bash\n")
	w.write("spool", theirs+"30 14 20 11 * "+script+" # old\n")
	if lines, err := w.Scripts(t.Context(), w.environ); err != nil || len(lines) != 1 || lines[0].Marker != "old" {
		t.Errorf("scripts: %+v, %v", lines, err)
	}
	if alarm, err := w.Cancel(t.Context(), w.environ, "old"); err != nil || alarm.Label != "old" || w.file("spool") != theirs {
		t.Errorf("%+v, %v; the crontab is %q", alarm, err, w.file("spool"))
	}
	if _, err := os.Stat(script); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its script is left: %v", err)
	}
	w.environ = []string{"PATH=" + w.dir}
	if lines, err := w.Scripts(t.Context(), w.environ); lines != nil || err != nil {
		t.Errorf("where there is no crontab: %+v, %v", lines, err)
	}
}

// A line of the crontab names a file that runs later, outside any sandbox.
func TestCronRunsNoProgramOfTheProject(t *testing.T) {
	w := newMachine(t)
	w.Program = w.dir + "/project/marvin"
	w.write("project/marvin", "#!/bin/sh\n")
	for label, project := range map[string]string{"tea": w.dir + "/other", "egg": w.dir + "/project"} {
		why, err := w.Set(t.Context(), proc.Distrust(w.environ, project), personal.Alarm{Label: label, Time: w.now.Add(time.Hour)})
		spool := strings.Contains(w.file("spool"), "ring-alarm "+label)
		if trusted := project != w.dir+"/project"; err != nil || spool != trusted || trusted != !strings.Contains(why, "which this project can change") {
			t.Errorf("%s: %q, %v, in the crontab: %v", project, why, err, spool)
		}
		w.write("spool", "")
	}
}

// Cron begins a minute with its present table, so it would ring an alarm due in this minute only a
// year later.
func TestAlarmDueThisMinuteRingsNext(t *testing.T) {
	w := newMachine(t)
	w.now = w.now.Add(10 * time.Second)
	w.set("tea", 20*time.Second)
	if got := w.file("spool"); !strings.HasPrefix(got, "1 14 20 11 * ") {
		t.Errorf("the crontab is %q", got)
	}
	w.now = w.now.Add(50 * time.Second)
	if err := w.Ring(t.Context(), w.environ, "tea"); err != nil || w.file("seen") != "⏰ tea\n14:00\n" || w.file("spool") != "" {
		t.Errorf("%v; showed %q, the crontab is %q", err, w.file("seen"), w.file("spool"))
	}
}

func TestAnAlarmHasALineForEachZone(t *testing.T) {
	elsewhere := "Asia/Tokyo"
	if _, offset := time.Now().Zone(); offset > 0 {
		elsewhere = "America/New_York"
	}
	data, err := os.ReadFile("/usr/share/zoneinfo/" + elsewhere)
	if err != nil {
		t.Skip("no time zones on this machine")
	}
	w := newMachine(t)
	w.write("localtime", string(data))
	w.SystemZone = w.dir + "/localtime"
	w.set("tea", 30*time.Minute)
	if got := w.file("spool"); strings.Count(got, " # tea\n") != 2 {
		t.Fatalf("the crontab is %q", got)
	}
	if err := w.Ring(t.Context(), w.environ, "tea"); err != nil || w.file("seen") != "" || w.left() != "tea" {
		t.Errorf("too early: %v, %q", err, w.file("seen"))
	}
	w.now = w.now.Add(30 * time.Minute)
	if err := w.Ring(t.Context(), w.environ, "tea"); err != nil || w.file("seen") == "" || w.file("spool") != "" {
		t.Errorf("%v; the crontab is %q", err, w.file("spool"))
	}
}
