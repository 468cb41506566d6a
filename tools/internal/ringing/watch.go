package ringing

import (
	"context"
	"fmt"
	"sync"
	"time"

	"marvin/persistence/personal"
)

// look is the longest wait between reads of the alarm files. Other processes set alarms, and timers
// do not run while a laptop sleeps.
const look = 30 * time.Second

// maxDelay is the delay after which an alarm counts as missed. A missed alarm is shown, but does
// not ring on the desktop or through ntfy.
const maxDelay = 90 * time.Second

// Watch watches the alarms in an interactive Marvin process. Its methods are safe for concurrent
// use, except [Watch.Next], which only one goroutine may call at a time.
type Watch struct {
	Ringer  Ringer
	mu      sync.Mutex
	known   map[string]personal.Alarm // pending alarms by label, as last seen
	told    map[string]time.Time      // due times of the alarms already shown, by label
	changed chan struct{}

	// Only [Watch.Next] uses the following fields.
	ringing []personal.Alarm // alarms for [Watch.ringOutside]
	shown   time.Time        // when these alarms were shown
	trouble string           // the last error
}

// Wake interrupts the wait of [Watch.Next], so that the alarms are checked immediately. Wake does
// not block.
func (w *Watch) Wake() {
	select {
	case w.signal() <- struct{}{}:
	default:
	}
}

// Forget prevents [Watch.Next] from showing an alarm that this process canceled.
func (w *Watch) Forget(label string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.known, label)
}

func (w *Watch) signal() chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed == nil {
		w.changed = make(chan struct{}, 1)
	}
	return w.changed
}

// Next waits until alarms are due and returns a line for each alarm. If ctx ends first, the error
// is the [context.Cause] of ctx. The alarms ring on the desktop and through ntfy only when Next is
// called again, so that a slow network does not delay the lines.
func (w *Watch) Next(ctx context.Context, environ []string) ([]string, error) {
	w.ringOutside(ctx, environ)
	for {
		now := w.Ringer.Home.Now()
		due, next, err := w.dueAlarms(now)
		if len(due) > 0 {
			w.ringing, w.shown = due, now
			return w.show(now, due), nil
		}
		if err == nil {
			w.trouble = ""
		} else if text := err.Error(); text != w.trouble {
			w.trouble = text
			return nil, err
		}
		timer := time.NewTimer(min(next, look))
		select {
		case <-timer.C:
		case <-w.signal():
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		}
		timer.Stop()
	}
}

// dueAlarms returns the due alarms that have not been shown, and the time until the next alarm. A
// known alarm whose time has passed is due even if its file is gone, because another process, such
// as cron, can ring the alarm first.
func (w *Watch) dueAlarms(now time.Time) (due []personal.Alarm, next time.Duration, err error) {
	alarms, err := personal.AlarmsOf(w.Ringer.Home).All()
	w.mu.Lock()
	defer w.mu.Unlock()
	present := map[string]personal.Alarm{}
	for _, alarm := range alarms {
		present[alarm.Label] = alarm
	}
	for label, alarm := range w.known {
		if _, there := present[label]; !there && !alarm.Time.After(now) {
			present[label] = alarm
		}
	}
	next, w.known = look, map[string]personal.Alarm{}
	for label, alarm := range present {
		switch {
		case w.told[label].Equal(alarm.Time):
			// Cron reached neither a desktop nor a topic, and put the alarm back. The user has
			// already seen the alarm, so its file is removed.
			_, _ = personal.AlarmsOf(w.Ringer.Home).Take(label)
		case !alarm.Time.After(now):
			due = append(due, alarm)
		default:
			w.known[label] = alarm
			next = min(next, alarm.Time.Sub(now))
		}
	}
	return due, next, err
}

func (w *Watch) show(now time.Time, due []personal.Alarm) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lines []string
	for _, alarm := range due {
		if w.told == nil {
			w.told = map[string]time.Time{}
		}
		w.told[alarm.Label] = alarm.Time
		lines = append(lines, say(alarm, now))
	}
	return lines
}

// ringOutside rings the alarms in w.ringing on the desktop and through ntfy. It ignores errors,
// because the user has already seen these alarms.
func (w *Watch) ringOutside(ctx context.Context, environ []string) {
	for _, alarm := range w.ringing {
		if w.shown.Sub(alarm.Time) < maxDelay {
			_ = w.Ringer.takeAndRing(ctx, environ, alarm)
		} else if _, err := personal.AlarmsOf(w.Ringer.Home).Take(alarm.Label); err == nil {
			_, _ = w.Ringer.unschedule(ctx, environ, alarm.Label)
		}
	}
	w.ringing = nil
}

func say(alarm personal.Alarm, now time.Time) string {
	text := displayName(alarm)
	if behind := now.Sub(alarm.Time); behind >= maxDelay {
		return fmt.Sprintf("⏰ Missed %s (was due %s)", text, alarm.Time.Local().Format("Mon Jan 2 15:04"))
	}
	return fmt.Sprintf("⏰ %s (%s)", text, alarm.Time.Local().Format("15:04"))
}
