package alarms

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/text"
	"marvin/tools/internal/when"
)

func (s *Service) set(ctx context.Context, env tools.Env, in setArgs) (tools.Output, error) {
	now := s.ringer.Home.Now()
	due, assumed, err := parseTime(in.Time, now)
	if err != nil {
		return tools.Output{}, err
	}
	label, err := cleanLabel(in.Label, in.Message)
	if err != nil {
		return tools.Output{}, err
	}
	alarm := personal.Alarm{Label: label, Message: text.OneLine(in.Message), Time: due, Profile: env.ProfileName()}
	noCron, err := s.ringer.Set(ctx, env.Environ, alarm)
	for n := 2; errors.Is(err, personal.ErrAlarmTaken) && strings.TrimSpace(in.Label) == "" && n < 100; n++ {
		alarm.Label = fmt.Sprintf("%s-%d", label, n)
		noCron, err = s.ringer.Set(ctx, env.Environ, alarm)
	}
	if errors.Is(err, personal.ErrAlarmTaken) {
		return tools.Output{}, tools.Advise(fmt.Errorf("an alarm %q is already set", alarm.Label), "Choose another label, or remove that alarm with cancel_alarm first.")
	}
	if err != nil {
		return tools.Output{}, fmt.Errorf("set the alarm: %w", err)
	}
	s.watch.Wake()
	text := fmt.Sprintf("Alarm %q is set for %s (in %s)", alarm.Label, when.Format(due), roundedDuration(due.Sub(now)))
	if alarm.Message != "" {
		text += ": " + alarm.Message
	}
	return tools.Output{
		Text: text + "." + assumed + "\n" + s.reach(env, alarm.Profile, noCron) + s.lateNote(noCron, due, now),
		Undo: tools.UndoneBy("cancel_alarm", cancelArgs{Label: alarm.Label}),
	}, nil
}
