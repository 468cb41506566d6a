package ringing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools/internal/cron"
	"marvin/tools/internal/notify"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/push"
)

// Ringer sets, cancels and rings alarms and reminders.
type Ringer struct {
	Home    *persistence.Home
	Client  *http.Client
	Program string // absolute path of the program file that cron runs; "" if unknown
	// NoCron returns the reason why cron cannot be used, or "" if cron works. Outside tests, NoCron
	// is [cron.Works].
	NoCron func(environ []string) string
	// SystemZone is the path of the system's time zone file. The default is /etc/localtime.
	SystemZone string
}

// Set stores an alarm and adds it to the crontab. If cron cannot ring the alarm, noCron is the
// reason, and only a running Marvin process rings the alarm.
func (b Ringer) Set(ctx context.Context, environ []string, alarm personal.Alarm) (noCron string, err error) {
	if err := personal.AlarmsOf(b.Home).Save(alarm); err != nil {
		return "", err
	}
	if noCron = b.noCron(environ); noCron != "" {
		return noCron, nil
	}
	table := b.table(environ)
	var lines []cron.Line
	due, _ := Minute(alarm.Time, b.Home.Now())
	for _, schedule := range cron.Schedules(due, table.Zones(ctx, time.Local)...) {
		lines = append(lines, cron.Line{Schedule: schedule, Command: b.command(alarm.Label), Marker: alarm.Label})
	}
	if _, err := table.Change(ctx, b.owns(alarm.Label), lines...); err != nil {
		return "the crontab could not be changed (" + firstLine(err) + ")", nil
	}
	return "", nil
}

// Minute returns the minute in which cron starts an alarm. Cron reads its table when a minute
// begins, so an alarm that is due in the current minute can ring only in the next one. In this
// case, late is true.
func Minute(due, now time.Time) (start time.Time, late bool) {
	if start = due.Truncate(time.Minute); start.After(now) {
		return start, false
	}
	return now.Truncate(time.Minute).Add(time.Minute), true
}

func (b Ringer) noCron(environ []string) string {
	if b.Program == "" {
		return "Marvin cannot find its own program file"
	}
	// If the project replaced the program file, cron would run the new file outside the sandbox,
	// with all of the user's rights.
	if _, err := proc.Find(b.Program, environ); errors.As(err, new(*proc.Untrusted)) {
		return "Marvin's own program file is " + b.Program + ", which this project can change; install Marvin elsewhere"
	}
	return b.NoCron(environ)
}

// Cancel removes an alarm and its crontab line. An alarm that was set by the Python version of
// Marvin consists only of that line and a script.
func (b Ringer) Cancel(ctx context.Context, environ []string, label string) (personal.Alarm, error) {
	alarm, err := personal.AlarmsOf(b.Home).Take(label)
	if err != nil && !errors.Is(err, personal.ErrNoAlarm) {
		return alarm, err
	}
	removed, cronErr := b.unschedule(ctx, environ, label)
	if err != nil && removed > 0 {
		return personal.Alarm{Label: label}, cronErr
	}
	return alarm, errors.Join(err, cronErr)
}

// unschedule removes the crontab lines that belong to a label, and their scripts. It returns the
// number of lines. If no crontab program is installed, it does nothing.
func (b Ringer) unschedule(ctx context.Context, environ []string, label string) (int, error) {
	if !cron.Installed(environ) {
		return 0, nil
	}
	removed, err := b.table(environ).Change(ctx, b.owns(label))
	for _, line := range removed {
		if strings.HasSuffix(line.Command, ".sh") {
			err = errors.Join(err, personal.AlarmsOf(b.Home).RemoveScript(line.Command))
		}
	}
	return len(removed), err
}

// Scripts returns the crontab lines that run alarm scripts from Marvin's Python version.
func (b Ringer) Scripts(ctx context.Context, environ []string) ([]cron.Line, error) {
	if !cron.Installed(environ) {
		return nil, nil
	}
	all, err := b.table(environ).Lines(ctx)
	return lists.Filter(all, func(line cron.Line) bool { return personal.AlarmsOf(b.Home).IsAlarmScript(line.Command, line.Marker) }), err
}

// Ring is run by cron. It waits until the alarm is due, and rings the alarm unless another process
// has already rung it. If the alarm is for another year, Ring does nothing.
func (b Ringer) Ring(ctx context.Context, environ []string, label string) error {
	alarm, err := personal.AlarmsOf(b.Home).Get(label)
	if errors.Is(err, personal.ErrNoAlarm) { // another process has rung the alarm
		_, err = b.unschedule(ctx, environ, label)
		return err
	}
	if err != nil {
		return err
	}
	wait := alarm.Time.Sub(b.Home.Now())
	switch {
	case wait > 2*time.Minute:
		return nil
	case wait < -time.Hour: // too late to ring; an interactive process reports the missed alarm
		_, err = b.unschedule(ctx, environ, label)
		return err
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	err = b.takeAndRing(ctx, environ, alarm)
	if errors.Is(err, errUnheard) {
		// The alarm is stored again, so that an interactive process can show it.
		err = errors.Join(err, personal.AlarmsOf(b.Home).Save(alarm))
	}
	return err
}

// errUnheard means that an alarm reached neither a desktop nor an ntfy topic.
var errUnheard = errors.New("there is no desktop here, and no ntfy topic for alarms")

// takeAndRing removes an alarm and then rings it. If another process has already removed the alarm,
// takeAndRing does nothing.
func (b Ringer) takeAndRing(ctx context.Context, environ []string, alarm personal.Alarm) error {
	taken, err := personal.AlarmsOf(b.Home).Take(alarm.Label)
	if errors.Is(err, personal.ErrNoAlarm) {
		return nil
	}
	if err != nil {
		return err
	}
	title, body := "⏰ "+taken.Label, taken.Message
	if taken.Reminder {
		title = "📅 " + taken.Message
	} else if name := displayName(taken); name != taken.Label+": "+taken.Message {
		title, body = "⏰ "+name, ""
	}
	if body == "" || taken.Reminder {
		body = taken.Time.Local().Format("15:04")
	}
	var group errgroup.Group
	var desktop, pushed, cleaned error
	group.Go(func() error { desktop = notify.Send(ctx, environ, title, body); return nil })
	group.Go(func() error { pushed = b.publish(ctx, taken, title, body); return nil })
	group.Go(func() error { _, cleaned = b.unschedule(ctx, environ, taken.Label); return nil })
	_ = group.Wait()
	if errors.Is(desktop, notify.ErrNoDesktop) {
		desktop = nil // a server without a screen
		if len(b.Topics(taken.Profile)) == 0 || pushed != nil {
			desktop = errUnheard
		}
	}
	return errors.Join(desktop, pushed, cleaned)
}

// Desktop reports whether alarms can ring on a desktop: see [notify.Possible].
func (b Ringer) Desktop(environ []string) bool { return notify.Possible(environ) }

// Topics returns the topics that receive the alarms of a profile.
func (b Ringer) Topics(profile string) []personal.Subscription {
	all, _ := personal.TopicsOf(b.Home.Profile(profile)).All() // an unreadable file is reported where it is used
	return lists.Filter(all, func(subscription personal.Subscription) bool {
		return push.Topic(subscription.Topic) && isOwn(subscription)
	})
}

// isOwn reports whether Marvin generated the topic, or the user gave it a label such as "alarms". A
// topic of five words counts as generated, because the Python version of Marvin did not mark
// generated topics.
func isOwn(subscription personal.Subscription) bool {
	switch strings.ToLower(subscription.Label) {
	case "reminders", "reminder", "alarms", "alarm", "marvin":
		return true
	}
	words := strings.Split(subscription.Topic, "-")
	for _, word := range words {
		if len(word) < 3 || len(word) > 8 || strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
			return subscription.Generated
		}
	}
	return subscription.Generated || len(words) == 5
}

func (b Ringer) publish(ctx context.Context, alarm personal.Alarm, title, body string) error {
	var failed error
	for _, topic := range b.Topics(alarm.Profile) {
		id, err := push.Publish(ctx, b.Client, topic.Topic, title, body, true)
		if err == nil {
			err = personal.TopicsOf(b.Home.Profile(alarm.Profile)).NoteSent(topic.Topic, id)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// command returns a command for cron's shell. Cron takes HOME from the password file, but Marvin's
// files may be in another home directory, so the command sets HOME.
func (b Ringer) command(label string) string {
	return fmt.Sprintf("HOME=%s %s ring-alarm %s", cron.Quote(b.Home.User), cron.Quote(b.Program), cron.Quote(label))
}

// owns returns a function that reports whether Marvin wrote a crontab line for a label. A matching
// marker is not enough, because other lines can end with the same comment. The line must also run
// Marvin or an alarm script.
func (b Ringer) owns(label string) func(cron.Line) bool {
	return func(line cron.Line) bool {
		return line.Marker == label && (strings.HasPrefix(line.Command, "HOME="+cron.Quote(b.Home.User)+" ") && strings.HasSuffix(line.Command, " ring-alarm "+cron.Quote(label)) ||
			personal.AlarmsOf(b.Home).IsScript(line.Command, label))
	}
}

func (b Ringer) table(environ []string) cron.Table {
	return cron.Table{Environ: environ, Lock: personal.AlarmsOf(b.Home).LockCrontab, System: b.SystemZone}
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
