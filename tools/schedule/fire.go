package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marvin/messages"
	"marvin/persistence/schedules"
	"marvin/tools"
)

// Answer is the result of a prompt.
type Answer struct {
	Text, Session, Err string
	Cost               float64
}

// Performer sends prompts to models and makes the tool calls of watches.
type Performer interface {
	// Ask sends a prompt to a model, with the entry's rights. session is the name of the
	// conversation.
	Ask(ctx context.Context, entry schedules.Entry, prompt messages.Prompt, session string) Answer
	// Call makes a watch's tool call.
	Call(ctx context.Context, entry schedules.Entry) (string, error)
	// WatchEnv returns the environment for a watch's commands. The caller must close the
	// environment's Sandbox, which enforces the entry's rights.
	WatchEnv(entry schedules.Entry) (tools.Env, error)
}

// ErrRunning means that another process is executing the entry's runs.
var ErrRunning = errors.New("it runs already")

// held contains a locked entry and the function that releases the lock.
type held struct {
	entry   schedules.Entry
	release func() error
}

// Fire executes the due runs of the entries with the given ids, or of all entries if there are no
// ids. It skips entries that another process has locked.
func (s *Service) Fire(ctx context.Context, environ []string, do Performer, ids ...string) (err error) {
	all, err := s.Store.All()
	var taken []held
	for _, entry := range all {
		if len(ids) > 0 && !slices.Contains(ids, entry.ID) || !s.pending(entry) {
			continue
		}
		one, ok, failed := s.lockAndClaim(ctx, environ, entry.ID)
		if err = errors.Join(err, failed); ok {
			taken = append(taken, one)
		}
	}
	// All due runs are claimed before any run starts, because one run can take minutes.
	for _, one := range taken {
		for failed := error(nil); failed == nil && ctx.Err() == nil; {
			at := slices.IndexFunc(one.entry.Runs, func(run schedules.Run) bool { return run.State == schedules.Claimed })
			if at < 0 {
				break
			}
			_, one.entry, failed = s.perform(ctx, environ, do, one.entry, one.entry.Runs[at])
			err = errors.Join(err, failed)
		}
		err = errors.Join(err, one.release())
	}
	if len(ids) > 0 || len(taken) > 0 {
		s.wake(ctx, environ)
	}
	return err
}

// pending returns true if Fire has work to do for an entry. The caller need not hold the entry's
// lock.
func (s *Service) pending(entry schedules.Entry) bool {
	now := s.now()
	return !entry.Paused && (!entry.Next.IsZero() && !entry.Next.After(now) || entry.Claimed.Sub(now) > setBack) ||
		slices.ContainsFunc(entry.Runs, func(run schedules.Run) bool {
			return run.State == schedules.Claimed || run.State == schedules.Running
		})
}

// lockAndClaim locks an entry and claims its due runs. If another process has the lock, or if the
// entry was removed, ok is false.
func (s *Service) lockAndClaim(ctx context.Context, environ []string, id string) (one held, ok bool, err error) {
	release, ok, err := s.Store.Hold(id)
	if !ok {
		return one, false, err
	}
	now := s.now()
	entry, err := s.Store.Change(id, func(e *schedules.Entry) error {
		claim(e, now)
		return nil
	})
	if err != nil {
		if errors.Is(err, schedules.ErrNone) { // just removed
			err = nil
		}
		return one, false, errors.Join(err, release())
	}
	return held{entry, release}, true, s.deliverInterrupted(ctx, environ, entry, now)
}

// deliverInterrupted delivers the reports of the runs that have just been marked as interrupted.
func (s *Service) deliverInterrupted(ctx context.Context, environ []string, entry schedules.Entry, now time.Time) (err error) {
	for _, run := range entry.Runs {
		if run.State == schedules.Interrupted && run.Ended.Equal(now) {
			err = errors.Join(err, s.deliver(context.WithoutCancel(ctx), environ, entry, run))
		}
	}
	return err
}

// Run runs an entry now, at the user's request, and returns the run.
func (s *Service) Run(ctx context.Context, environ []string, do Performer, id string) (run schedules.Run, err error) {
	release, ok, err := s.Store.Hold(id)
	if err != nil {
		return run, err
	}
	if !ok {
		return run, ErrRunning
	}
	defer func() { err = errors.Join(err, release()) }()
	now := s.now()
	run = schedules.Run{Due: now, By: "user", State: schedules.Claimed}
	entry, err := s.Store.Change(id, func(e *schedules.Entry) error {
		recoverRuns(e, now)
		e.Runs = slices.DeleteFunc(e.Runs, func(other schedules.Run) bool { return e.Watch != nil && other.State == schedules.Claimed })
		e.Runs = append(e.Runs, run)
		return nil
	})
	if err != nil {
		return run, err
	}
	// The history shows interrupted runs even if delivery fails.
	_ = s.deliverInterrupted(ctx, environ, entry, now)
	run, _, err = s.perform(ctx, environ, do, entry, run)
	return run, err
}

// perform executes a claimed run and stores its result.
func (s *Service) perform(ctx context.Context, environ []string, do Performer, entry schedules.Entry, run schedules.Run) (schedules.Run, schedules.Entry, error) {
	run.Began, run.State = s.now(), schedules.Running
	entry, err := s.Store.Change(entry.ID, func(e *schedules.Entry) error { return replace(e, run, schedules.Claimed) })
	if err != nil {
		return run, entry, err
	}
	var checked *schedules.Watch
	known := entry.Watch != nil && entry.Watch.Failing
	if entry.Watch != nil {
		run, checked = s.look(ctx, do, entry, run)
	} else {
		answer := do.Ask(ctx, entry, messages.Ask(wordsOf(entry)), sessionOf(entry, run))
		run = answered(run, answer)
	}
	run.Ended = s.now()
	quiet := run.State == schedules.Unchanged || run.State == schedules.Failed && known // a repeated failure is reported once
	if !quiet {
		if failed := s.deliver(context.WithoutCancel(ctx), environ, entry, run); failed != nil {
			run.Error = cmp.Or(run.Error, failed.Error())
		}
		run.Untold = run.By == ""
	}
	entry, err = s.Store.Change(entry.ID, func(e *schedules.Entry) error {
		at := indexOf(e, run, schedules.Running)
		if at >= 0 && quiet {
			e.Runs = slices.Delete(e.Runs, at, at+1) // runs without a report are not stored
		} else if at >= 0 {
			e.Runs[at] = run
		}
		if checked != nil {
			e.Watch = checked
		}
		return nil
	})
	if errors.Is(err, schedules.ErrNone) { // the entry was removed during the run
		err = nil
	}
	return run, entry, err
}

// indexOf returns the index of the record with the given state, run.Due and run.By, or -1 if there
// is no such record.
func indexOf(e *schedules.Entry, run schedules.Run, state schedules.State) int {
	return slices.IndexFunc(e.Runs, func(other schedules.Run) bool {
		return other.Due.Equal(run.Due) && other.By == run.By && other.State == state
	})
}

// replace overwrites the record of a run. The old record must have the given state.
func replace(e *schedules.Entry, run schedules.Run, state schedules.State) error {
	at := indexOf(e, run, state)
	if at < 0 {
		return fmt.Errorf("the record of the run at %s no longer exists", run.Due)
	}
	e.Runs[at] = run
	return nil
}

func answered(run schedules.Run, answer Answer) schedules.Run {
	run.State, run.Text, run.Session, run.Cost, run.Error = schedules.Done, answer.Text, answer.Session, run.Cost+answer.Cost, answer.Err
	if answer.Err != "" {
		run.State = schedules.Failed
	}
	return run
}

// sessionOf returns the name of the conversation to which a run belongs.
func sessionOf(entry schedules.Entry, run schedules.Run) string {
	return entry.ID + "-" + run.Began.Format("20060102-150405")
}
