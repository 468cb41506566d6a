package alarms

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"marvin/messages/lists"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/ringing"
)

// reach describes where the alarm will ring, and whether Marvin must be open at that time.
func (s *Service) reach(env tools.Env, profile, noCron string) string {
	var places []string
	if s.ringer.Desktop(env.Environ) {
		places = append(places, "on the desktop")
	}
	if topics := s.ringer.Topics(profile); len(topics) > 0 {
		names := lists.Map(topics, func(topic personal.Subscription) string { return cmp.Or(topic.Label, topic.Topic) })
		places = append(places, "through ntfy ("+strings.Join(names, ", ")+")")
	}
	where := strings.Join(places, " and ")
	switch {
	case noCron != "" && where != "":
		return capital(noCron) + ", so the alarm rings only while Marvin is open, in its window and " + where + ". Marvin reports missed alarms when it next starts."
	case noCron != "":
		return capital(noCron) + ", so the alarm is shown only while Marvin is open. Marvin reports missed alarms when it next starts."
	case where == "":
		return "There is no desktop here and no ntfy topic for alarms, so the alarm is shown only if Marvin is open at that time; otherwise Marvin shows it as missed when it next starts. To get alarms on a phone, make a topic with generate_ntfy_topic."
	}
	return "It rings " + where + ", and in Marvin if it is open."
}

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// RingAt sets an alarm and returns a description of where the alarm will ring.
func (s *Service) RingAt(ctx context.Context, env tools.Env, label, message string, due time.Time) (how string, err error) {
	alarm := personal.Alarm{Label: label, Message: message, Time: due, Profile: env.ProfileName()}
	noCron, err := s.ringer.Set(ctx, env.Environ, alarm)
	if err != nil {
		return "", err
	}
	s.watch.Wake()
	return s.reach(env, alarm.Profile, noCron) + s.lateNote(noCron, due, s.ringer.Home.Now()), nil
}

// CancelAlarm cancels an alarm that RingAt set.
func (s *Service) CancelAlarm(ctx context.Context, env tools.Env, label string) (personal.Alarm, error) {
	alarm, err := s.ringer.Cancel(ctx, env.Environ, label)
	s.watch.Forget(label)
	return alarm, err
}

// SettingCall returns the call that sets the alarm again.
func (s *Service) SettingCall(alarm personal.Alarm) *tools.Inverse { return settingCall(alarm) }

// Alarms returns all alarms that are set, including reminders.
func (s *Service) Alarms() ([]personal.Alarm, error) { return personal.AlarmsOf(s.ringer.Home).All() }

// lateNote returns a warning if cron would ring the alarm late, otherwise "". Programs that cron
// starts begin at a full minute.
func (s *Service) lateNote(noCron string, due, now time.Time) string {
	start, late := ringing.Minute(due, now)
	if noCron != "" || !late {
		return ""
	}
	return " If Marvin is not open, the alarm rings at the next full minute, at " + start.Local().Format("15:04") + "."
}
