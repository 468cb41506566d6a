package calendar

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/when"
)

// Reminders cover only the next 365 days, because a crontab line contains no year.
const ahead = 365 * 24 * time.Hour

// maxReminded is the maximum number of occurrences of one series that get reminders. Each
// occurrence needs two crontab lines.
const maxReminded = 4

// reminderMinutes are the times of an event's reminders, in minutes before the event.
var reminderMinutes = [...]int{60, 30}

// reminderLabel returns the crontab label of a reminder. Earlier versions of Marvin used the same
// format.
func reminderLabel(uid string, minutes int) string {
	return fmt.Sprintf("calremind_%s_%d", shortUIDForLabel(uid), minutes)
}

// shortUIDForLabel shortens uid to 8 bytes. Unsafe characters become "_", because labels are used
// as file names.
func shortUIDForLabel(uid string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '@' || r == '.' {
			return r
		}
		return '_'
	}, uid[:min(8, len(uid))])
}

// remind creates the reminders for an event's next occurrences, and describes the result.
func (s Service) remind(ctx context.Context, env tools.Env, uid string, now time.Time) string {
	all, _, err := s.events(env.ProfileName())
	if err != nil {
		return "No reminders: " + err.Error()
	}
	all = slices.DeleteFunc(all, func(one event) bool { return one.uid != uid })
	times := overlapping(all, now, now.Add(ahead))
	times = slices.DeleteFunc(times, func(one occurrence) bool { return !one.start.After(now) })
	cancelled := len(times) > 0
	times = slices.DeleteFunc(times, func(one occurrence) bool { return one.cancelled })
	switch {
	case len(times) > 0:
	case cancelled:
		return "No reminders are set, because the event is cancelled."
	default:
		if slices.ContainsFunc(all, func(one event) bool { return one.start.After(now) }) {
			return "No reminders are set, because the event is more than a year away. To set one anyway, use set_alarm."
		}
		return "Note: the event is in the past."
	}
	if times[0].allDay {
		return "No reminders are set, because the event takes the whole day."
	}
	more := len(times) > maxReminded
	times = times[:min(len(times), maxReminded)]
	done := reminders{service: s, env: env, now: now}
	for n, one := range times {
		done.setReminders(ctx, n, one.event)
	}
	text := done.text()
	if len(done.before) > 0 && more {
		text += fmt.Sprintf(" The reminders cover the next %d dates of the series, until %s.", len(times), when.Day(times[len(times)-1].start.In(now.Location())))
	}
	return text
}

// reminders collects the results of setReminders for one event.
type reminders struct {
	service  Service
	env      tools.Env
	now      time.Time
	before   []string // lead times of the first occurrence's reminders, in minutes
	noCron   string
	problems []string
}

func (r *reminders) setReminders(ctx context.Context, n int, one event) {
	start := one.start.In(r.now.Location())
	for _, before := range reminderMinutes {
		due := start.Add(-time.Duration(before) * time.Minute)
		if !due.After(r.now) {
			continue
		}
		message := fmt.Sprintf("%s at %s, in %s", oneLine(one.title), start.Format("15:04"), messages.Counted(before, "minute"))
		if one.place != "" {
			message += " 📍" + oneLine(one.place)
		}
		label := reminderLabel(one.uid, before)
		if n > 0 {
			label = fmt.Sprintf("%s_%d", label, n+1)
		}
		noCron, err := r.service.ringer.Set(ctx, r.env.Environ, personal.Alarm{Label: label, Message: message, Time: due, Profile: r.env.ProfileName(), Reminder: true})
		if err != nil {
			r.problems = append(r.problems, err.Error())
			continue
		}
		r.noCron = noCron
		if text := fmt.Sprint(before); n == 0 {
			r.before = append(r.before, text)
		}
	}
}

func (r *reminders) text() string {
	text := "No reminders are set, because the event begins too soon."
	if len(r.before) > 0 {
		text = "Reminders " + strings.Join(r.before, " and ") + " minutes before"
		if r.noCron == "" {
			text += ", on the desktop, and in Marvin if it is open."
		} else {
			text += ". Note: " + r.noCron + ", so reminders come only while Marvin is open."
		}
		if len(r.service.ringer.Topics(r.env.ProfileName())) > 0 {
			text += " Also through ntfy."
		}
	}
	if len(r.problems) > 0 {
		text += "\nWarning: " + strings.Join(r.problems, "; ")
	}
	return text
}

// forget removes an event's reminders, including reminders set by Marvin's Python version.
func (s Service) forget(ctx context.Context, env tools.Env, uid string) error {
	var labels []string
	for _, before := range reminderMinutes {
		label := reminderLabel(uid, before)
		labels = append(labels, label)
		for n := 1; n < maxReminded; n++ {
			if _, err := personal.AlarmsOf(s.home).Get(fmt.Sprintf("%s_%d", label, n+1)); err == nil {
				labels = append(labels, fmt.Sprintf("%s_%d", label, n+1))
			}
		}
	}
	var failed error
	for _, label := range labels {
		_, err := s.ringer.Cancel(ctx, env.Environ, label)
		if err != nil && !errors.Is(err, personal.ErrNoAlarm) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
