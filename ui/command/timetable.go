package command

import "context"

// timetable is what happens at times: schedules, watches and the page of the day.
type timetable struct{ *Env }

// take returns what one of the commands does with its words.
func (t timetable) take(command string) func(words string) {
	return func(words string) {
		dir := t.Talk.Dir
		t.beside("look at the times", func(ctx context.Context) func() {
			return t.told(t.Host.AtTimes(ctx, command, words, dir))
		})
	}
}
