package timers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/alarms"
)

// fixture calls the tools of one service like a model.
type fixture struct {
	t     *testing.T
	tools map[string]tools.Tool
	home  *persistence.Home
	rings *alarms.Service
}

func newFixture(t *testing.T) fixture {
	home := persistence.Open(t.TempDir(), time.Now)
	return fixtureOf(t, home, alarms.New(home, http.DefaultClient, ""))
}

// fixtureOf returns another Marvin of the same user.
func fixtureOf(t *testing.T, home *persistence.Home, rings *alarms.Service) fixture {
	d := fixture{t, map[string]tools.Tool{}, home, rings}
	for _, tool := range New(time.Now, rings).Tools() {
		d.tools[tool.Name] = tool
	}
	return d
}

// environ is a machine without a desktop and without cron.
var environ = []string{"PATH=/nowhere"}

const reach = "\nMarvin cannot find its own program file, so the alarm is shown only while Marvin is open. Marvin reports missed alarms when it next starts."

func (d fixture) call(name, args string) (string, error) {
	call, err := d.tools[name].Decode(json.RawMessage(args))
	if err != nil {
		return "", err
	}
	output, err := call.Run(d.t.Context(), tools.Env{Environ: environ})
	return output.Text, err
}

func (d fixture) expect(name, args, want string) {
	d.t.Helper()
	got, err := d.call(name, args)
	if err != nil {
		got = err.Error()
	}
	if got != want {
		d.t.Errorf("%s %s: %q, want %q", name, args, got, want)
	}
}

func TestTimersAndStopwatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFixture(t)
		d.expect("timer_check", `{}`, "No timers. Start one with timer_start.")
		d.expect("timer_start", `{"name": "Green  Tea", "duration": "3 minutes"}`, `Timer "green tea" started: 3m, until `+time.Now().Add(3*time.Minute).Format("15:04:05")+"."+reach)
		d.expect("timer_start", `{}`, `Stopwatch "default" started. It ends when this Marvin process ends.`)
		time.Sleep(72*time.Second + 340*time.Millisecond)
		d.expect("timer_check", `{"name": "GREEN TEA"}`, "green tea: 1m48s left of 3m")
		d.expect("timer_check", `{}`, "default: 1m12s elapsed\ngreen tea: 1m48s left of 3m")
		d.expect("timer_start", `{"name": "green tea", "duration": "10m"}`,
			"\"green tea\" is already running: 1m48s left of 3m\nStop it with timer_stop first, or choose another name.")
		d.expect("timer_start", `{"duration": 60}`,
			"\"default\" is already running: 1m12s elapsed\nStop it with timer_stop first, or choose another name.")
		d.expect("timer_stop", `{}`, `Stopped "default": 1m12s elapsed`)
		time.Sleep(108 * time.Second)
		d.expect("timer_check", `{"name": "green tea"}`, "green tea: time's up, 0.3s ago (3m)")
		time.Sleep(2 * time.Hour)
		d.expect("timer_stop", `{"name": "green tea"}`, `Stopped "green tea": time's up, 2h ago (3m)`)
		d.expect("timer_stop", `{"name": "green tea"}`, "there is no timer \"green tea\"\nNo timers are running. Start one with timer_start.")
	})
}

// A name is refused only while its timer is running. A finished timer can start again.
func TestFinishedNameStartsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFixture(t)
		if _, err := d.call("timer_start", `{"name": "egg", "duration_seconds": 5}`); err != nil {
			t.Fatal(err)
		}
		d.expect("timer_stop", `{"name": "tea"}`, "there is no timer \"tea\"\nThere is: egg")
		d.expect("timer_check", `{"name": "tea"}`, "there is no timer \"tea\"\nThere is: egg")
		time.Sleep(5 * time.Second)
		if got, err := d.call("timer_start", `{"name": "egg", "duration": "6"}`); err != nil || !strings.HasPrefix(got, `Timer "egg" started: 6s`) {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestConcurrentCallsOfOneRound(t *testing.T) {
	d := newFixture(t)
	var group sync.WaitGroup
	var started sync.Map
	for i := range 40 {
		group.Go(func() {
			name := fmt.Sprint(i % 20)
			if _, err := d.call("timer_start", `{"name": "`+name+`", "duration": "1h"}`); err == nil {
				if _, twice := started.LoadOrStore(name, true); twice {
					t.Errorf("timer %s was started twice", name)
				}
			}
		})
	}
	group.Wait()
	all, err := d.call("timer_check", "{}")
	if err != nil || strings.Count(all, "left of 1h") != 20 {
		t.Errorf("%s, %v", all, err)
	}
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, " ": 0, "0": 0, "0s": 0, "90": 90 * time.Second, "90.5": 90*time.Second + 500*time.Millisecond, "5m": 5 * time.Minute, "an hour and a half": 90 * time.Minute,
	} {
		if got, err := parseDuration(text); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{"soon": "1h30m", "-5": "1h30m", "1:30": "1 h 30 min or 1 min 30 s", "NaN": "1h30m", "400d": "year", "999999999999": "1h30m"} {
		if got, err := parseDuration(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}

func TestSpelling(t *testing.T) {
	for duration, want := range map[time.Duration]string{
		0: "0s", 340 * time.Millisecond: "0.3s", 5 * time.Second: "5s", time.Minute: "1m", 90 * time.Second: "1m30s",
		time.Hour: "1h", 90 * time.Minute: "1h30m", time.Hour + 5*time.Second: "1h0m5s", 20 * time.Minute: "20m", 10 * time.Hour: "10h",
	} {
		if got := spell(duration); got != want {
			t.Errorf("%d: %s, want %s", duration, got, want)
		}
	}
}

// In earlier Marvins, a timer that was started in a run for one prompt ended with the run and never
// rang.
func TestATimerOutlivesItsMarvin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := newFixture(t)
		if _, err := first.call("timer_start", `{"name": "Green Tea!", "duration": "3 minutes"}`); err != nil {
			t.Fatal(err)
		}
		if set, err := personal.AlarmsOf(first.home).All(); err != nil || len(set) != 1 {
			t.Fatalf("nothing rings: %v, %v", set, err)
		}
		time.Sleep(time.Minute)
		second := fixtureOf(t, first.home, alarms.New(first.home, http.DefaultClient, ""))
		until := time.Now().Add(2 * time.Minute).Format("15:04:05")
		second.expect("timer_check", `{}`, "green tea: 2m left until "+until+" (started by another Marvin process)")
		second.expect("timer_start", `{"name": "green tea", "duration": "5m"}`, "start the timer: \"green tea\" is already running: 2m left until "+until+" (started by another Marvin process)\nStop it with timer_stop first, or choose another name.")
		lines, err := second.rings.Next(t.Context(), environ) // an open Marvin waits for the alarm
		if err != nil || len(lines) != 1 || !strings.HasPrefix(lines[0], "⏰ timer-green-tea: time is up after 3m") {
			t.Errorf("%q, %v", lines, err)
		}
		first.expect("timer_check", `{"name": "green tea!"}`, "green tea!: time's up, 0s ago (3m)")
		if _, err := second.call("timer_start", `{"name": "green tea", "duration": "5m"}`); err != nil {
			t.Error(err)
		}
		third := fixtureOf(t, first.home, alarms.New(first.home, http.DefaultClient, ""))
		third.expect("timer_stop", `{"name": "green tea"}`, `Stopped "green tea": 5m left until `+time.Now().Add(5*time.Minute).Format("15:04:05")+" (started by another Marvin process)")
		if left, err := personal.AlarmsOf(third.home).All(); err != nil || len(left) != 0 {
			t.Errorf("still set: %v, %v", left, err)
		}
	})
}
