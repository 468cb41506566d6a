package timers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/when"
)

// Ringer rings when a countdown is over, also after this Marvin has ended: the alarms.
type Ringer interface {
	// RingAt sets an alarm and says in words where it will ring. The error of a label that is
	// taken is [personal.ErrAlarmTaken].
	RingAt(ctx context.Context, env tools.Env, label, message string, due time.Time) (how string, err error)
	// Silence takes it back; that of one that is not there is [personal.ErrNoAlarm].
	Silence(ctx context.Context, env tools.Env, label string) (personal.Alarm, error)
	// Again is the call that sets one as it was.
	Again(alarm personal.Alarm) *tools.Inverse
	// Alarms are those that are set.
	Alarms() ([]personal.Alarm, error)
}

// prefix marks the alarms that are timers.
const prefix = "timer-"

// label is the alarm of a timer: a word, because it names a file and a line of the crontab.
func label(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	runes := []rune(strings.Join(words, "-"))
	return prefix + strings.TrimRight(string(runes[:min(len(runes), 30)]), "-")
}

// spoken is the name of a timer as its label has it.
func spoken(label string) string {
	return strings.ReplaceAll(strings.TrimPrefix(label, prefix), "-", " ")
}

// elsewhere are the countdowns that run and that another Marvin started, by name.
func (s *Service) elsewhere(now time.Time) map[string]personal.Alarm {
	alarms, _ := s.ringer.Alarms() // what is damaged list_alarms says
	found := map[string]personal.Alarm{}
	for _, alarm := range alarms {
		if !strings.HasPrefix(alarm.Label, prefix) || alarm.Reminder || !alarm.Time.After(now) {
			continue
		}
		found[spoken(alarm.Label)] = alarm
	}
	for name := range s.timers {
		delete(found, spoken(label(name)))
	}
	return found
}

// away says how long a countdown of another Marvin takes.
func away(alarm personal.Alarm, now time.Time) string {
	return fmt.Sprintf("%s left, until %s (started by another Marvin)", spell(alarm.Time.Sub(now).Round(time.Second)), alarm.Time.Local().Format("15:04:05"))
}

// ring has a countdown ring, and says where it will.
func (s *Service) ring(ctx context.Context, env tools.Env, name string, length time.Duration, due time.Time) (string, error) {
	how, err := s.ringer.RingAt(ctx, env, label(name), "time is up after "+when.Length(length), due)
	if !errors.Is(err, personal.ErrAlarmTaken) {
		return how, err
	}
	if running, there := s.elsewhere(s.clock())[spoken(label(name))]; there {
		return "", tools.Advise(fmt.Errorf("%s is already running: %s", quoted(name), away(running, s.clock())), "Stop it with timer_stop first, or choose another name.")
	}
	if _, err := s.ringer.Silence(ctx, env, label(name)); err != nil && !errors.Is(err, personal.ErrNoAlarm) { // an unseen one
		return "", err
	}
	return s.ringer.RingAt(ctx, env, label(name), "time is up after "+when.Length(length), due)
}
