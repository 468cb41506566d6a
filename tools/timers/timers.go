package timers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"marvin/messages/lists"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/when"
)

// Service stores the timers of this Marvin process. It is safe for concurrent use.
type Service struct {
	now    func() time.Time
	ringer Ringer
	mu     sync.Mutex
	timers map[string]timer
}

type timer struct {
	started time.Time
	length  time.Duration // 0 for a stopwatch
}

// New returns a service without timers.
func New(now func() time.Time, ringer Ringer) *Service {
	return &Service{now: now, ringer: ringer, timers: map[string]timer{}}
}

// Tools returns the tools of this category.
func (s *Service) Tools() []tools.Tool {
	return []tools.Tool{s.startTool(), s.checkTool(), s.stopTool()}
}

type startArgs struct {
	Name     string `json:"name" doc:"Name of the timer" default:"default" example:"tea"`
	Duration string `json:"duration" doc:"Duration: 5m, 1h30m, \"5 minutes\" or seconds; 0 starts a stopwatch" default:"" alias:"duration_seconds,seconds" example:"5m"`
}

func (s *Service) startTool() tools.Tool {
	return tools.New(tools.Def[startArgs]{
		Name: "timer_start", Chat: true,
		Effect: tools.Writes,
		Doc: "Start a countdown timer, which rings like an alarm. Without a duration, start a stopwatch; it ends when Marvin ends. " +
			"Fails if the name is already in use.",
		Examples: []string{
			"start a {5 minute|duration} timer",
			"start a timer called {tea|name} for {3 minutes|duration}",
			"set a timer for {10 minutes|duration}",
			"start a stopwatch",
		},
		Pool: tools.Proc,
		Run:  s.start,
	})
}

func (s *Service) start(ctx context.Context, env tools.Env, in startArgs) (tools.Output, error) {
	length, err := parseDuration(in.Duration)
	if err != nil {
		return tools.Output{}, err
	}
	name := key(in.Name)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock()
	if running, ok := s.timers[name]; ok && !running.ended(now) {
		return tools.Output{}, tools.Advise(fmt.Errorf("%s is already running: %s", quoted(name), running.state(now)),
			"Stop it with timer_stop first, or choose another name.")
	}
	if length == 0 {
		s.timers[name] = timer{started: now}
		return withStopInverse(text("Stopwatch %s started. It ends when this Marvin process ends.", quoted(name)), name), nil
	}
	delete(s.timers, name) // a finished timer with the same name
	due := now.Add(length)
	how, err := s.ring(ctx, env, name, length, due)
	if err != nil {
		return tools.Output{}, fmt.Errorf("start the timer: %w", err)
	}
	s.timers[name] = timer{started: now, length: length}
	return withStopInverse(text("Timer %s started: %s, until %s.\n%s", quoted(name), spell(length), due.Format("15:04:05"), how), name), nil
}

// withStopInverse records timer_stop as the inverse of a call that started a timer.
func withStopInverse(output tools.Output, name string) tools.Output {
	output.Undo = tools.UndoneBy("timer_stop", stopArgs{Name: name})
	return output
}

type checkArgs struct {
	Name string `json:"name" doc:"Name of the timer or stopwatch; the default is all" default:"" example:"tea"`
}

func (s *Service) checkTool() tools.Tool {
	return tools.New(tools.Def[checkArgs]{
		Name: "timer_check",
		Doc:  "Show the time left on a timer, or the elapsed time of a stopwatch.",
		Examples: []string{
			"how long is left on the {tea|name} timer", "how long is left on the timer",
			"check the {tea|name} timer", "check the timer", "show my timers",
		},
		Run: s.check,
	})
}

func (s *Service) check(_ context.Context, _ tools.Env, in checkArgs) (tools.Output, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock()
	states := map[string]string{}
	for name, running := range s.timersElsewhere(now) {
		states[name] = remaining(running, now)
	}
	for name, running := range s.timers {
		states[name] = running.state(now)
	}
	if strings.TrimSpace(in.Name) != "" {
		name := key(in.Name)
		state, ok := states[name]
		if !ok {
			return tools.Output{}, s.unknown(name)
		}
		return text("%s: %s", name, state), nil
	}
	if len(states) == 0 {
		return tools.NoResults("No timers. Start one with timer_start."), nil
	}
	lines := lists.Map(slices.Sorted(maps.Keys(states)), func(name string) string { return fmt.Sprintf("%s: %s", name, states[name]) })
	return text("%s", strings.Join(lines, "\n")), nil
}

type stopArgs struct {
	Name string `json:"name" doc:"Name of the timer or stopwatch" default:"default" example:"tea"`
}

func (s *Service) stopTool() tools.Tool {
	return tools.New(tools.Def[stopArgs]{
		Name:     "timer_stop",
		Effect:   tools.Writes,
		Doc:      "Stop and remove a timer or stopwatch, and show its time.",
		Examples: []string{"stop the {tea|name} timer", "stop the timer", "stop the stopwatch"},
		Pool:     tools.Proc,
		Run:      s.stop,
	})
}

func (s *Service) stop(ctx context.Context, env tools.Env, in stopArgs) (tools.Output, error) {
	name := key(in.Name)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock()
	stopped, own := s.timers[name]
	running, there := s.timersElsewhere(now)[name]
	if !own && !there {
		return tools.Output{}, s.unknown(name)
	}
	delete(s.timers, name)
	state := remaining(running, now)
	if own {
		state = stopped.state(now)
	}
	output := text("Stopped %s: %s", quoted(name), state)
	output.Undo = tools.CannotUndo("the timer has already ended")
	if own && (stopped.length == 0 || stopped.ended(now) && s.rings(name, now)) {
		return output, nil // an alarm with this name belongs to another Marvin process
	}
	alarm, err := s.ringer.CancelAlarm(ctx, env, label(name))
	if err != nil && alarm.Time.IsZero() && !errors.Is(err, personal.ErrNoAlarm) {
		return tools.Output{}, fmt.Errorf("stop the timer: %w", err)
	}
	if alarm.Time.After(now) { // the alarm has not rung yet, so it can be set again
		output.Undo = s.ringer.SettingCall(alarm)
	}
	return output, nil
}

// rings returns true if a future alarm has the timer's label.
func (s *Service) rings(name string, now time.Time) bool {
	alarms, _ := s.ringer.Alarms() // list_alarms reports the error
	return slices.ContainsFunc(alarms, func(one personal.Alarm) bool { return one.Label == label(name) && one.Time.After(now) })
}

// unknown builds the error for a timer that does not exist. The caller must hold s.mu.
func (s *Service) unknown(name string) error {
	err := fmt.Errorf("there is no timer %s", quoted(name))
	names := slices.AppendSeq(slices.Collect(maps.Keys(s.timers)), maps.Keys(s.timersElsewhere(s.clock())))
	if len(names) == 0 {
		return tools.Advise(err, "No timers are running. Start one with timer_start.")
	}
	slices.Sort(names)
	return tools.Advise(err, "There is: %s", strings.Join(names, ", "))
}

// clock returns the wall clock time, because the monotonic clock stops while a laptop sleeps.
func (s *Service) clock() time.Time { return s.now().Round(0) }

func (t timer) ended(now time.Time) bool { return t.length > 0 && now.Sub(t.started) >= t.length }

func (t timer) state(now time.Time) string {
	elapsed := now.Sub(t.started)
	switch {
	case t.length == 0:
		return spell(elapsed) + " elapsed"
	case t.ended(now):
		return fmt.Sprintf("time's up, %s ago (%s)", spell(elapsed-t.length), spell(t.length))
	}
	return fmt.Sprintf("%s left of %s", spell(t.length-elapsed), spell(t.length))
}

func key(name string) string {
	name = strings.ToLower(strings.Join(strings.Fields(name), " "))
	if name == "" {
		return "default"
	}
	return name
}

func quoted(name string) string { return fmt.Sprintf("%q", name) }

func text(format string, args ...any) tools.Output {
	return tools.Output{Text: fmt.Sprintf(format, args...)}
}

// Ringer sets alarms that ring when countdowns end, even if this process ends earlier. The service
// in tools/alarms implements it.
type Ringer interface {
	// RingAt sets an alarm and returns a description of where it will ring. The error is
	// [personal.ErrAlarmTaken] if the label is in use.
	RingAt(ctx context.Context, env tools.Env, label, message string, due time.Time) (how string, err error)
	// CancelAlarm cancels the alarm with this label. If there is no such alarm, the error is
	// [personal.ErrNoAlarm].
	CancelAlarm(ctx context.Context, env tools.Env, label string) (personal.Alarm, error)
	// SettingCall returns the call that sets a canceled alarm again.
	SettingCall(alarm personal.Alarm) *tools.Inverse
	// Alarms returns the alarms that are set.
	Alarms() ([]personal.Alarm, error)
}

// prefix is the first part of the label of every timer's alarm.
const prefix = "timer-"

// label converts a timer's name to a single word, because alarm labels become part of file names
// and crontab lines.
func label(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	runes := []rune(strings.Join(words, "-"))
	return prefix + strings.TrimRight(string(runes[:min(len(runes), 30)]), "-")
}

// spoken converts the label of a timer's alarm to the timer's name.
func spoken(label string) string {
	return strings.ReplaceAll(strings.TrimPrefix(label, prefix), "-", " ")
}

// timersElsewhere maps timer names to the pending alarms of timers in other Marvin processes.
func (s *Service) timersElsewhere(now time.Time) map[string]personal.Alarm {
	alarms, _ := s.ringer.Alarms() // list_alarms reports the error
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

// remaining describes the time left on another Marvin process's timer.
func remaining(alarm personal.Alarm, now time.Time) string {
	return fmt.Sprintf("%s left until %s (started by another Marvin process)", spell(alarm.Time.Sub(now).Round(time.Second)), alarm.Time.Local().Format("15:04:05"))
}

// ring arranges an alarm for a countdown, and returns a description of where the alarm will ring.
func (s *Service) ring(ctx context.Context, env tools.Env, name string, length time.Duration, due time.Time) (string, error) {
	how, err := s.ringer.RingAt(ctx, env, label(name), "time is up after "+when.Length(length), due)
	if !errors.Is(err, personal.ErrAlarmTaken) {
		return how, err
	}
	if running, there := s.timersElsewhere(s.clock())[spoken(label(name))]; there {
		return "", tools.Advise(fmt.Errorf("%s is already running: %s", quoted(name), remaining(running, s.clock())), "Stop it with timer_stop first, or choose another name.")
	}
	if _, err := s.ringer.CancelAlarm(ctx, env, label(name)); err != nil && !errors.Is(err, personal.ErrNoAlarm) { // cancel an expired alarm that nobody has seen
		return "", err
	}
	return s.ringer.RingAt(ctx, env, label(name), "time is up after "+when.Length(length), due)
}
