package calendar

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/persistence"
	"marvin/tools"
)

// ahead is how far away an event may be to get reminders, as in earlier Marvins: cron
// knows no years, and a crontab is no place for a year's plans.
const ahead = 7 * 24 * time.Hour

// minutes are when reminders come before an event.
var minutes = [...]int{60, 30}

// reminderLabel is how earlier Marvins mark the lines of reminders in the crontab.
func reminderLabel(uid string, minutes int) string {
	return fmt.Sprintf("calremind_%s_%d", uid[:min(8, len(uid))], minutes)
}

// remind sets the reminders that are still to come, and says in words what it did.
func (s Service) remind(ctx context.Context, env tools.Env, plan planned, now time.Time) string {
	left := plan.start.Sub(now)
	switch {
	case plan.allDay:
		return "No reminders: it takes the whole day."
	case left <= 0:
		return "Note: it is in the past."
	case left > ahead:
		return "No reminders: it is more than 7 days away. set_alarm can set one."
	}
	var set, problems []string
	noCron := ""
	for _, before := range minutes {
		due := plan.start.Add(-time.Duration(before) * time.Minute)
		if !due.After(now) {
			continue
		}
		message := fmt.Sprintf("%s at %s, in %d minutes", plan.title, plan.start.Format("15:04"), before)
		if plan.place != "" {
			message += " 📍" + plan.place
		}
		without, err := s.bell.Set(ctx, env.Environ, persistence.Alarm{
			Label: reminderLabel(plan.uid, before), Message: message, Time: due, Profile: profileOf(env), Reminder: true,
		})
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		noCron = without
		set = append(set, fmt.Sprint(before))
	}
	text := "No reminders: it begins too soon."
	if len(set) > 0 {
		text = "Reminders " + strings.Join(set, " and ") + " minutes before"
		if noCron == "" {
			text += ", on the desktop and in an open Marvin."
		} else {
			text += ". Tell the user: " + noCron + ", so they come only while a Marvin is open."
		}
		if len(s.bell.Topics(profileOf(env))) > 0 {
			text += " Also through ntfy."
		}
	}
	if len(problems) > 0 {
		text += "\nWarning: " + strings.Join(problems, "; ")
	}
	return text
}

// forget takes the reminders of an event away, also those of the Python Marvin.
func (s Service) forget(ctx context.Context, env tools.Env, uid string) error {
	var failed error
	for _, before := range minutes {
		_, err := s.bell.Cancel(ctx, env.Environ, reminderLabel(uid, before))
		if err != nil && !errors.Is(err, persistence.ErrNoAlarm) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
