package schedule

import (
	"slices"
	"time"

	"marvin/persistence/schedules"
)

const (
	// grace is the delay after which a due run counts as missed. It is longer than the 15 minutes
	// between cron's checks.
	grace = 20 * time.Minute
	// mostLate is the maximum number of missed runs that the policy "each" executes late.
	mostLate = 20
	// mostDue is the maximum number of due times per call to claim().
	mostDue = 1000
	// setBack is the tolerance for a clock that steps back. Only a larger step counts as a
	// correction by the user.
	setBack = time.Minute
)

// claim appends the due runs of an entry to e.Runs and advances e.Next. The caller must hold the
// entry's lock, so a run that is already marked as running belongs to a process that has died. The
// caller executes all claimed runs.
func claim(e *schedules.Entry, now time.Time) {
	recoverRuns(e, now)
	if e.Paused {
		return
	}
	if e.Claimed.Sub(now) > setBack { // the clock was ahead and has been corrected
		e.Next, _ = unseen(*e, now)
	}
	e.Claimed = now
	// Skip the oldest times if more than mostDue times are due.
	if every := e.Times.Every; every > 0 && now.Sub(e.Next) > mostDue*every {
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
	if e.Watch != nil { // one check of a watch replaces all missed checks
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
	e.Runs = append(e.Runs, missedRuns(e.Missed, missed, len(present) > 0)...)
	for _, at := range present {
		e.Runs = append(e.Runs, schedules.Run{Due: at, State: schedules.Claimed})
	}
}

// missedRuns returns the runs to record for missed times: claimed runs, which are executed late,
// and up to three skipped runs for the history. With the policy "once", a run that is due now
// replaces all missed runs.
func missedRuns(policy schedules.Missed, missed []time.Time, present bool) (runs []schedules.Run) {
	run := 0
	switch {
	case policy == schedules.Each:
		run = min(len(missed), mostLate)
	case policy == schedules.Once && !present:
		run = min(len(missed), 1)
	}
	skipped := missed[:len(missed)-run]
	for _, at := range skipped[max(0, len(skipped)-3):] { // the history shows only the last three
		runs = append(runs, schedules.Run{Due: at, State: schedules.Skipped})
	}
	for _, at := range missed[len(missed)-run:] {
		runs = append(runs, schedules.Run{Due: at, State: schedules.Claimed})
	}
	return runs
}

// recoverRuns handles the runs of dead processes. It repeats a watch's unfinished check that has
// produced no report, because a check only reads. It marks any other run in progress as
// interrupted, because that run may have changed something.
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
			run.Error = "Marvin ended during this run; the run was not repeated"
		}
	}
}

// unseen returns the entry's next due time that is not recorded in e.Runs.
func unseen(e schedules.Entry, now time.Time) (next time.Time, ok bool) {
	for next, ok = Next(e.Times, now, now); ok; next, ok = Next(e.Times, next, now) {
		if !slices.ContainsFunc(e.Runs, func(run schedules.Run) bool { return run.Due.Equal(next) }) {
			return next, true
		}
	}
	return time.Time{}, false
}
