package alarms

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/cron"
	"marvin/tools/internal/reason"
	"marvin/tools/internal/ringing"
)

// Service sets alarms and waits for them. It is safe for concurrent use.
type Service struct {
	ringer ringing.Ringer
	watch  *ringing.Watch
}

// New returns a Service. program is the absolute path of the Marvin executable, which cron starts.
func New(home *persistence.Home, client *http.Client, program string) *Service {
	b := ringing.Ringer{Home: home, Client: client, Program: program, NoCron: cron.Works}
	return &Service{ringer: b, watch: &ringing.Watch{Ringer: b}}
}

// Tools returns the alarm tools.
func (s *Service) Tools() []tools.Tool {
	return []tools.Tool{s.setTool(), s.listTool(), s.cancelTool()}
}

// Ring rings the alarm with the given label. For each alarm, cron starts a Marvin process, which
// calls Ring.
func (s *Service) Ring(ctx context.Context, environ []string, label string) error {
	return s.ringer.Ring(ctx, environ, label)
}

// Next waits until alarms are due, and returns a line for each. See [ringing.Watch.Next].
func (s *Service) Next(ctx context.Context, environ []string) ([]string, error) {
	return s.watch.Next(ctx, environ)
}

type setArgs struct {
	Time    string `json:"time" doc:"07:30, tomorrow at 7, 2026-05-01 07:30, or 1h30m from now" alias:"duration,at,when" example:"07:30"`
	Message string `json:"message,omitempty" doc:"Text of the alarm" alias:"text"`
	Label   string `json:"label" doc:"Name; the default is the first words of the message" default:"" alias:"name,alarm_id" example:"tea"`
}

func (s *Service) setTool() tools.Tool {
	return tools.New(tools.Def[setArgs]{
		Name: "set_alarm", Chat: true,
		Effect: tools.Writes,
		Doc:    "Set an alarm that rings even when Marvin is closed.",
		Examples: []string{
			"set an alarm for {07:30|time}",
			"wake me at {6:45|time}",
			"set an alarm in {30 minutes|time} saying {take out the bread|message}",
			"remind me in {2 hours|time} to {call Anna|message}",
		},
		Pool: tools.Proc,
		Fold: foldSeconds,
		Run:  s.set,
	})
}

// foldSeconds accepts "seconds" or "duration_seconds" instead of "time", as earlier versions of
// Marvin did. It adds the unit, because a bare number in "time" is an hour of the day.
func foldSeconds(arguments map[string]any) {
	for _, name := range []string{"seconds", "duration_seconds"} {
		value, given := arguments[name]
		if _, taken := arguments["time"]; given && !taken && value != nil {
			arguments["time"] = strings.TrimSpace(fmt.Sprint(value)) + " seconds"
			delete(arguments, name)
		}
	}
}

type noArgs struct{}

func (s *Service) listTool() tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: "list_alarms", Chat: true,
		Doc:      "List pending and missed alarms.",
		Examples: []string{"list my alarms", "which alarms are set", "show alarms"},
		Pool:     tools.Proc,
		Run:      s.list,
	})
}

func (s *Service) list(ctx context.Context, env tools.Env, _ noArgs) (tools.Output, error) {
	alarms, err := personal.AlarmsOf(s.ringer.Home).All()
	now := s.ringer.Home.Now()
	var lines []string
	for _, alarm := range alarms {
		if alarm.Reminder {
			continue // reminders belong to the calendar
		}
		line := fmt.Sprintf("%d. %s: %s", len(lines)+1, alarm.Label, alarm.Time.Local().Format("Mon Jan 2 2006 15:04"))
		if !alarm.Time.After(now) {
			line += " (past)"
		}
		if alarm.Message != "" {
			line += "\n   " + alarm.Message
		}
		lines = append(lines, line)
	}
	scripts, cronErr := s.ringer.Scripts(ctx, env.Environ)
	for _, script := range scripts {
		lines = append(lines, fmt.Sprintf("%d. %s: crontab %q, set by an earlier Marvin version", len(lines)+1, script.Marker, script.Schedule))
	}
	text := "No alarms are set."
	if len(lines) > 0 {
		text = strings.Join(lines, "\n")
	}
	if err = errors.Join(err, cronErr); err != nil {
		text += "\nWarning: " + err.Error()
	}
	return tools.Output{Text: text}, nil
}

type cancelArgs struct {
	Label string `json:"label" doc:"Label of the alarm" alias:"alarm_id,name" example:"tea"`
}

func (s *Service) cancelTool() tools.Tool {
	return tools.New(tools.Def[cancelArgs]{
		Name: "cancel_alarm", Chat: true,
		Effect:   tools.Writes,
		Doc:      "Cancel an alarm by its label, which list_alarms shows.",
		Examples: []string{"cancel the alarm {tea|label}", "delete my alarm {tea|label}"},
		Pool:     tools.Proc,
		Run:      s.cancel,
	})
}

func (s *Service) cancel(ctx context.Context, env tools.Env, in cancelArgs) (tools.Output, error) {
	label := strings.TrimSpace(in.Label)
	alarm, err := s.ringer.Cancel(ctx, env.Environ, label)
	if errors.Is(err, personal.ErrNoAlarm) {
		return tools.Output{}, tools.Advise(fmt.Errorf("there is no alarm %q", label), "%s", s.known(ctx, env))
	}
	if err != nil && alarm.Time.IsZero() {
		return tools.Output{}, fmt.Errorf("the alarm cannot be cancelled: %w", reason.InWords(err))
	}
	s.watch.Forget(label)
	text := fmt.Sprintf("Alarm %q is cancelled", label)
	if !alarm.Time.IsZero() {
		text += "; it would have rung at " + alarm.Time.Local().Format("Mon Jan 2 15:04")
	}
	if text += "."; err != nil { // the alarm was deleted, but unscheduling failed
		text += "\nNote: the alarm's line may still be in the crontab, where it does nothing: " + reason.InWords(err).Error()
	}
	return tools.Output{Text: text, Undo: setAgain(env, alarm)}, nil
}

// setAgain returns the call that sets a canceled alarm again, or the reason why there is no such
// call.
func setAgain(env tools.Env, alarm personal.Alarm) *tools.Inverse {
	switch {
	case alarm.Time.IsZero():
		return tools.CannotUndo("an earlier Marvin version stored the alarm as a script, and the script is gone")
	case alarm.Reminder:
		return tools.CannotUndo("the alarm was a reminder from the calendar; to set the reminder again, change the event")
	case alarm.Profile != "" && alarm.Profile != env.ProfileName():
		return tools.CannotUndo("the alarm belonged to the profile " + alarm.Profile)
	}
	return settingCall(alarm)
}

// settingCall returns the set_alarm call that recreates an alarm.
func settingCall(alarm personal.Alarm) *tools.Inverse {
	return tools.UndoneBy("set_alarm", setArgs{Time: alarm.Time.Format(time.RFC3339), Message: alarm.Message, Label: alarm.Label})
}

func (s *Service) known(ctx context.Context, env tools.Env) string {
	var labels []string
	alarms, _ := personal.AlarmsOf(s.ringer.Home).All()
	for _, alarm := range alarms {
		if !alarm.Reminder {
			labels = append(labels, alarm.Label)
		}
	}
	scripts, _ := s.ringer.Scripts(ctx, env.Environ)
	labels = append(labels, lists.Map(scripts, func(script cron.Line) string { return script.Marker })...)
	if len(labels) == 0 {
		return "No alarms are set."
	}
	return "There is: " + strings.Join(labels, ", ")
}

// cleanLabel returns a label that is valid as a file name and in a crontab line. An empty label is
// derived from the message.
func cleanLabel(text, message string) (string, error) {
	label := strings.Join(strings.Fields(text), "-")
	switch {
	case label == "":
		return ringing.LabelOf(message), nil
	case !ringing.IsLabel(label):
		return "", tools.Advise(fmt.Errorf("%q cannot be a label", text), "Use letters, digits, - and _, such as tea or dentist-monday.")
	}
	return label, nil
}

func roundedDuration(left time.Duration) string {
	left = left.Round(time.Minute)
	switch days := int(left.Hours()) / 24; {
	case left < time.Minute:
		return "less than a minute"
	case days >= 2:
		return fmt.Sprintf("%d days", days)
	}
	return strings.TrimSuffix(left.String(), "0s")
}
