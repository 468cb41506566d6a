package command

import "context"

// timetable runs the commands that concern schedules, watches and today's agenda.
type timetable struct{ *Env }

// take returns the function that runs one of these commands.
func (t timetable) take(command string) func(words string) {
	return func(words string) {
		dir := t.Talk.Dir
		t.runOutside("look at the times", func(ctx context.Context) func() {
			return t.show(t.Host.AtTimes(ctx, command, words, dir))
		})
	}
}
