package ringing_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools/internal/ringing"
)

func (w *machine) watch() *ringing.Watch { return &ringing.Watch{Ringer: w.Ringer} }

// next returns the due alarms, or "".
func (w *machine) next(watch *ringing.Watch) string {
	w.t.Helper()
	ctx, stop := context.WithTimeoutCause(w.t.Context(), 50*time.Millisecond, errors.New("nothing is due"))
	defer stop()
	lines, err := watch.Next(ctx, w.environ)
	if err != nil && ctx.Err() == nil {
		w.t.Error(err)
	}
	return strings.Join(lines, "+")
}

// rings calls next when an alarm also rings outside: it waits until the alarm appeared on the
// desktop and the crontab is empty, for half a minute on the slowest machine.
func (w *machine) rings(watch *ringing.Watch, seen string) string {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	go func() {
		defer stop()
		for range 6000 {
			if <-look.C; ctx.Err() != nil || w.file("spool") == "" && w.file("seen") == seen {
				return
			}
		}
	}()
	lines, err := watch.Next(ctx, w.environ)
	if err != nil && ctx.Err() == nil {
		w.t.Error(err)
	}
	return strings.Join(lines, "+")
}

func TestADueAlarmIsShownThenRung(t *testing.T) {
	w := newMachine(t)
	watch := w.watch()
	w.set("tea", time.Minute)
	if got := w.next(watch); got != "" {
		t.Errorf("before its time: %q", got)
	}
	w.now = w.now.Add(time.Minute)
	if got := w.next(watch); got != "⏰ tea (14:01)" || w.file("seen") != "" || w.left() != "tea" {
		t.Errorf("shown %q, rung %q, kept %q", got, w.file("seen"), w.left())
	}
	if got := w.rings(watch, "⏰ tea\n14:01\n"); got != "" || w.file("seen") != "⏰ tea\n14:01\n" || w.left() != "" || w.file("spool") != "" {
		t.Errorf("shown %q, rung %q, kept %q, the crontab is %q", got, w.file("seen"), w.left(), w.file("spool"))
	}
}

func TestAnAlarmThatRangAndIsSetAgainWaits(t *testing.T) {
	w := newMachine(t)
	watch := w.watch()
	w.set("tea", 0)
	if shown, after := w.next(watch), w.rings(watch, "⏰ tea\n14:00\n"); shown != "⏰ tea (14:00)" || after != "" || w.left() != "" {
		t.Errorf("shown %q, then %q, kept %q", shown, after, w.left())
	}
	w.set("tea", time.Hour)
	if got := w.next(watch); got != "" || w.left() != "tea" || w.file("seen") != "⏰ tea\n14:00\n" {
		t.Errorf("shown %q, kept %q, rung %q", got, w.left(), w.file("seen"))
	}
}

func TestAMissedAlarmIsShownAndDoesNotRing(t *testing.T) {
	w := newMachine(t)
	watch := w.watch()
	w.set("tea", time.Minute)
	w.now = w.now.Add(time.Hour)
	if got := w.next(watch); got != "⏰ Missed tea (was due Fri Nov 20 14:01)" {
		t.Errorf("shown %q", got)
	}
	if got := w.rings(watch, ""); got != "" || w.file("seen") != "" || w.left() != "" || w.file("spool") != "" {
		t.Errorf("shown %q, rung %q, kept %q, the crontab is %q", got, w.file("seen"), w.left(), w.file("spool"))
	}
}

// With two interactive Marvins and cron, both users see the alarm, and it rings once.
func TestEachPersonSeesAnAlarmThatAnotherMarvinTook(t *testing.T) {
	w := newMachine(t)
	here, there := w.watch(), w.watch()
	w.set("tea", time.Minute)
	for _, watch := range []*ringing.Watch{here, there} {
		if got := w.next(watch); got != "" {
			t.Errorf("before its time: %q", got)
		}
	}
	w.now = w.now.Add(time.Minute)
	if err := w.Ring(t.Context(), w.environ, "tea"); err != nil { // as cron does
		t.Fatal(err)
	}
	for _, watch := range []*ringing.Watch{here, there} {
		if got := w.next(watch); got != "⏰ tea (14:01)" {
			t.Errorf("shown %q", got)
		}
		if got := w.next(watch); got != "" {
			t.Errorf("shown again: %q", got)
		}
	}
	if got := w.file("seen"); got != "⏰ tea\n14:01\n" {
		t.Errorf("rung %q", got)
	}
}

func TestShownAlarmIsNotMissed(t *testing.T) {
	w := newMachine(t)
	watch := w.watch()
	w.set("tea", time.Minute)
	w.now = w.now.Add(time.Minute)
	alarm, err := personal.AlarmsOf(w.Home).Get("tea")
	if err != nil {
		t.Fatal(err)
	}
	if got := w.next(watch); got == "" {
		t.Error("not shown")
	}
	w.next(watch) // this rings outside
	if err := personal.AlarmsOf(w.Home).Save(alarm); err != nil {
		t.Fatal(err)
	}
	if got := w.next(watch); got != "" || w.left() != "" {
		t.Errorf("shown again: %q, kept %q", got, w.left())
	}
}

func TestACancelledAlarmIsNotTakenForOneThatRang(t *testing.T) {
	w := newMachine(t)
	watch := w.watch()
	for _, label := range []string{"tea", "egg"} {
		w.set(label, time.Minute)
	}
	w.next(watch)
	for _, label := range []string{"tea", "egg"} {
		if _, err := w.Cancel(t.Context(), w.environ, label); err != nil {
			t.Fatal(err)
		}
	}
	watch.Forget("tea") // canceled here; cron took the other alarm
	w.now = w.now.Add(time.Minute)
	if got := w.next(watch); got != "⏰ egg (14:01)" {
		t.Errorf("shown %q", got)
	}
}

func TestTroubleIsReportedOnceUntilItIsOver(t *testing.T) {
	w := newMachine(t)
	w.set("tea", time.Hour)
	watch, dir := w.watch(), w.dir+"/home/.config/marvin/alarms"
	told := func() bool {
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		_, err := watch.Next(ctx, w.environ)
		return !errors.Is(err, context.DeadlineExceeded)
	}
	spoil := func() {
		w.t.Helper()
		if err := errors.Join(os.Rename(dir, dir+".aside"), os.WriteFile(dir, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	spoil()
	if first, second := told(), told(); !first || second {
		t.Errorf("told at first %v, again %v", first, second)
	}
	if err := errors.Join(os.Remove(dir), os.Rename(dir+".aside", dir)); err != nil {
		t.Fatal(err)
	}
	if told() {
		t.Error("told when it was over")
	}
	spoil()
	if !told() {
		t.Error("not told when it came back")
	}
}

func TestAWatchLooksAgain(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		home := persistence.Open(dir, time.Now)
		watch := ringing.Watch{Ringer: ringing.Ringer{Home: home, NoCron: func([]string) string { return "" }}}
		for _, one := range []struct {
			label string
			told  bool
			want  time.Duration // from the creation of the file, 10 s after the watch began
		}{{"unheard-of", false, 20 * time.Second}, {"announced", true, 2 * time.Second}} {
			begun := time.Now()
			time.AfterFunc(10*time.Second, func() {
				if err := personal.AlarmsOf(home).Save(personal.Alarm{Label: one.label, Time: time.Now().Add(2 * time.Second)}); err != nil {
					t.Error(err)
				}
				if one.told {
					watch.Wake()
					watch.Wake() // calling it twice has no further effect, and it never blocks
				}
			})
			lines, err := watch.Next(t.Context(), []string{"PATH=" + dir, "XDG_RUNTIME_DIR=" + dir})
			if took := time.Since(begun) - 10*time.Second; err != nil || len(lines) != 1 || !strings.HasPrefix(lines[0], "⏰ "+one.label) || took != one.want {
				t.Errorf("%q after %s, %v", lines, took, err)
			}
		}
	})
}
