package command

import "context"

// timetable is the implementation of the commands /schedule, /watch and /today.
type timetable struct{ *Env }

func (t timetable) take(command string) func(words string) {
	return func(words string) {
		dir := t.Talk.Dir
		t.runOutside("look at the times", func(ctx context.Context) func() {
			return t.show(t.Host.AtTimes(ctx, command, words, dir))
		})
	}
}
