package schedule

import (
	"slices"
	"time"

	"marvin/persistence/schedules"
)

const (
	// grace is how late a run is still on time: cron looks each quarter of an hour.
	grace = 20 * time.Minute
	// mostLate is the most runs that are made up for, with the policy "each".
	mostLate = 20
	// mostDue is the most missed times that are looked at.
	mostDue = 1000
	// setBack is how far a clock may go back without being one that was set.
	setBack = time.Minute
)

// claim moves an entry to its next time and adds the runs that are due. The caller holds the entry,
// so that a run that is claimed or runs belongs to a process that is gone: the first is run now,
// the second was interrupted.
func claim(e *schedules.Entry, now time.Time) {
	recoverRuns(e, now)
	if e.Paused {
		return
	}
	if e.Claimed.Sub(now) > setBack { // the clock was ahead and was set back
		e.Next, _ = unseen(*e, now)
	}
	e.Claimed = now
	if every := e.Times.Every; every > 0 && now.Sub(e.Next) > mostDue*every { // the last ones count
		e.Next = e.Next.Add((now.Sub(e.Next)/every - mostDue + 1) * every)
	}
	var due []time.Time
	for len(due) < mostDue && !e.Next.IsZero() && !e.Next.After(now) {
		due = append(due, e.Next)
		e.Next, _ = Next(e.Times, e.Next, now)
	}
	if !e.Next.IsZero() && !e.Next.After(now) {
		e.Next, _ = Next(e.Times, now, now)
	}
	if e.Watch != nil { // one look sees all that changed
		due = due[max(0, len(due)-1):]
		if slices.ContainsFunc(e.Runs, func(run schedules.Run) bool { return run.State == schedules.Claimed }) {
			due = nil
		}
	}
	late := slices.IndexFunc(due, func(at time.Time) bool { return now.Sub(at) <= grace })
	if late < 0 {
		late = len(due)
	}
	missed, present := due[:late], due[late:]
	e.Runs = append(e.Runs, made(e.Missed, missed, len(present) > 0)...)
	for _, at := range present {
		e.Runs = append(e.Runs, schedules.Run{Due: at, State: schedules.Claimed})
	}
}

// made are the runs for missed times. Where a run is due anyway, it is the one for all.
func made(policy schedules.Missed, missed []time.Time, present bool) (runs []schedules.Run) {
	run := 0
	switch {
	case policy == schedules.Each:
		run = min(len(missed), mostLate)
	case policy == schedules.Once && !present:
		run = min(len(missed), 1)
	}
	skipped := missed[:len(missed)-run]
	for _, at := range skipped[max(0, len(skipped)-3):] { // the last ones are enough
		runs = append(runs, schedules.Run{Due: at, State: schedules.Skipped})
	}
	for _, at := range missed[len(missed)-run:] {
		runs = append(runs, schedules.Run{Due: at, State: schedules.Claimed})
	}
	return runs
}

// recoverRuns deals with runs whose process is gone. A check that had nothing to report yet is
// made again, because it only looks. Every other run is interrupted: it may have changed something.
func recoverRuns(e *schedules.Entry, now time.Time) {
	again := func(run schedules.Run) bool {
		return e.Watch != nil && run.Text == "" && (run.State == schedules.Running || run.State == schedules.Claimed)
	}
	if at := slices.IndexFunc(e.Runs, again); at >= 0 {
		check := schedules.Run{Due: e.Runs[at].Due, State: schedules.Claimed}
		e.Runs = append(slices.DeleteFunc(e.Runs, again), check)
	}
	for i := range e.Runs {
		if run := &e.Runs[i]; run.State == schedules.Running {
			run.State, run.Ended, run.Untold = schedules.Interrupted, now, true
			run.Error = "Marvin ended while it ran; it was not run again"
		}
	}
}

// unseen is the next time at which no run was.
func unseen(e schedules.Entry, now time.Time) (next time.Time, ok bool) {
	for next, ok = Next(e.Times, now, now); ok; next, ok = Next(e.Times, next, now) {
		if !slices.ContainsFunc(e.Runs, func(run schedules.Run) bool { return run.Due.Equal(next) }) {
			return next, true
		}
	}
	return time.Time{}, false
}
