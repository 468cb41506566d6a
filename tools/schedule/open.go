package schedule

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/persistence/schedules"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/text"
)

const (
	// look is the maximum time between checks. Service.start is called at most once in this time.
	look     = 30 * time.Second
	cronLead = 5 * time.Second // how long a due run waits for cron to start it
)

// errLook interrupts a wait for alarms when it is time to check the schedules.
var errLook = errors.New("checking the schedules")

// Alarms returns alarms when they are due.
type Alarms interface {
	Next(ctx context.Context, environ []string) ([]string, error)
}

// Supervisor starts due runs that cron did not start, and reports the results of runs. Its method
// Next must not be called concurrently.
type Supervisor struct {
	Alarms  Alarms
	Service *Service
	started time.Time // when Service.start was last called
}

// Next waits until alarms are due or runs have ended. It returns one line per alarm or run.
func (o *Supervisor) Next(ctx context.Context, environ []string) ([]string, error) {
	for {
		if lines := o.Service.news(); len(lines) > 0 {
			return lines, nil
		}
		waiting, stop := context.WithTimeoutCause(ctx, o.look(environ), errLook)
		lines, err := o.Alarms.Next(waiting, environ)
		stop()
		if !errors.Is(err, errLook) || ctx.Err() != nil {
			return lines, err
		}
	}
}

// look begins the due runs and returns the time until the next check.
func (o *Supervisor) look(environ []string) time.Duration {
	now, wait := o.Service.now(), look
	all, _ := o.Service.Store.All() // the "marvin schedule" commands report unreadable entries
	for _, entry := range all {
		if entry.Paused || entry.Next.IsZero() {
			continue
		}
		until := entry.Next.Add(cronLead).Sub(now)
		if until <= 0 && now.Sub(o.started) >= look {
			o.started = now
			_ = o.Service.start(environ) // the next check tries again
		}
		wait = min(wait, max(until, time.Second))
	}
	return wait
}

// start executes the due runs in a separate process, which can outlive this one.
func (s *Service) start(environ []string) error {
	if s.Program == "" {
		return nil
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { _ = nowhere.Close() }()
	child, err := proc.Start(proc.Command{Name: s.Program, Args: []string{"schedule", "fire", "--due"}, Dir: "/", Environ: environ, Marvin: true}, nowhere, nowhere, false)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.Go(func() error { child.Wait(); return nil })
	return nil
}

// news returns a line for each run that has not been shown yet, and marks these runs as shown.
func (s *Service) news() (lines []string) {
	all, _ := s.Store.All()
	for _, entry := range all {
		if !untold(entry) {
			continue
		}
		var shown []string
		_, err := s.Store.Change(entry.ID, func(e *schedules.Entry) error {
			for i := range e.Runs {
				if run := &e.Runs[i]; run.Untold {
					run.Untold = false
					shown = append(shown, newsOf(*e, *run))
				}
			}
			return nil
		})
		if err == nil {
			lines = append(lines, shown...)
		}
	}
	return lines
}

func untold(entry schedules.Entry) bool {
	return slices.ContainsFunc(entry.Runs, func(run schedules.Run) bool { return run.Untold })
}

func newsOf(entry schedules.Entry, run schedules.Run) string {
	command := "schedule"
	if entry.Watch != nil {
		command = "watch"
	}
	said := text.Clip(strings.ReplaceAll(Result(run), "\n", " · "), 300)
	return fmt.Sprintf("⏰ %s %s: %s (/%s history %s)", Title(entry), run.State, said, command, entry.ID)
}
