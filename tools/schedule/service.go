package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/schedules"
	"marvin/tools"
	"marvin/tools/internal/cron"
)

// Service stores and runs schedules and watches. It is safe for concurrent use.
type Service struct {
	Store   schedules.Store
	Client  *http.Client
	Program string // absolute path of Marvin's executable, which cron starts; "" if unknown
	// NoCron returns the reason why cron is unusable, or "" if cron works. Outside tests, NoCron is
	// [cron.Works].
	NoCron func(environ []string) string
}

// New returns a service. program is the absolute path of Marvin's own executable.
func New(home *persistence.Home, client *http.Client, program string) *Service {
	return &Service{Store: schedules.Store{Home: home}, Client: client, Program: program, NoCron: cron.Works}
}

func (s *Service) now() time.Time { return s.Store.Home.Now() }

// Default limits of a run.
const (
	usualCost = 0.50 // US dollars
	usualTime = 10 * time.Minute
)

// Request is the input of [Service.Plan]. It describes a schedule or a watch.
type Request struct {
	When, Zone, Missed, To, Dir string
	Prompt                      string
	May                         schedules.Permissions
	Asks                        schedules.RunLimits
	Watch                       *schedules.Watch // nil for a prompt
}

// Plan checks a request and converts it to an entry, but does not store the entry. The returned
// notes describe the assumptions that Plan made.
func (s *Service) Plan(in Request) (entry schedules.Entry, notes string, err error) {
	now := s.now()
	if in.Watch == nil && strings.TrimSpace(in.Prompt) == "" {
		return entry, "", errors.New(`the prompt is missing; write marvin schedule add "every weekday at 8:00" "what is due today"`)
	}
	if in.Watch != nil {
		entry.Times, err = parseEvery(cmp.Or(in.When, "1h"), now)
	} else {
		entry.Times, notes, err = parseTimes(in.When, in.Zone, now)
	}
	if err != nil {
		return entry, "", err
	}
	if entry.Missed, err = missed(in.Missed); err != nil {
		return entry, "", err
	}
	if entry.To, err = target(in.To, in.Dir, s.Store.Home.User); err != nil {
		return entry, "", err
	}
	if in.Watch != nil {
		if _, err := condition(in.Watch); err != nil {
			return entry, "", err
		}
		if in.Watch.Tool == commandTool {
			if err := checkWatchedCommand(in.Watch); err != nil {
				return entry, "", err
			}
		}
	}
	entry.Prompt, entry.Watch, entry.May, entry.Dir, entry.Created = strings.TrimSpace(in.Prompt), in.Watch, in.May, in.Dir, now
	entry.Asks = in.Asks
	entry.Asks.Cost, entry.Asks.Time = cmp.Or(in.Asks.Cost, usualCost), cmp.Or(in.Asks.Time, usualTime)
	entry.Next, _ = Next(entry.Times, now, now)
	entry.Claimed = now
	return entry, notes, nil
}

func missed(said string) (schedules.Missed, error) {
	switch policy := schedules.Missed(strings.ToLower(cmp.Or(said, "once"))); policy {
	case schedules.Skip, schedules.Once, schedules.Each:
		return policy, nil
	}
	return "", fmt.Errorf("--\"missed\" must be \"skip\", \"once\" or \"each\", not %q", said)
}

// Add stores an entry and registers it with cron or systemd.
func (s *Service) Add(ctx context.Context, environ []string, entry schedules.Entry) (kept schedules.Entry, by Starter, err error) {
	kept, err = s.Store.Add(entry)
	if err != nil {
		return kept, by, err
	}
	return kept, s.wake(ctx, environ), nil
}

// Pause suspends or resumes an entry. Runs that were missed during the pause are not executed
// later.
func (s *Service) Pause(ctx context.Context, environ []string, id string, paused bool) (schedules.Entry, error) {
	now := s.now()
	entry, err := s.Store.Change(id, func(e *schedules.Entry) error {
		if !paused && e.Paused {
			e.Next, _ = Next(e.Times, now, now)
		}
		e.Paused = paused
		return nil
	})
	if err == nil {
		s.wake(ctx, environ)
	}
	return entry, err
}

// Remove deletes an entry together with its crontab line or timer.
func (s *Service) Remove(ctx context.Context, environ []string, id string) (schedules.Entry, error) {
	entry, err := s.Store.Remove(id)
	if err == nil {
		s.wake(ctx, environ)
	}
	return entry, err
}

// Find returns the entry whose id equals the given text. If there is none, Find returns the only
// entry whose id starts with the text or whose title contains the text.
func (s *Service) Find(said string, watches bool) (schedules.Entry, error) {
	all, err := s.Entries(watches)
	said = strings.ToLower(strings.TrimSpace(said))
	var found []schedules.Entry
	for _, entry := range all {
		if entry.ID == said {
			return entry, nil
		}
		if said != "" && (strings.HasPrefix(entry.ID, said) || strings.Contains(strings.ToLower(Title(entry)), said)) {
			found = append(found, entry)
		}
	}
	what, command := "schedule", "marvin schedule list"
	if watches {
		what, command = "watch", "marvin watch list"
	}
	switch len(found) {
	case 0:
		return schedules.Entry{}, errors.Join(fmt.Errorf("there is no %s %q; to list them and their ids, use %s", what, said, command), err)
	case 1:
		return found[0], nil
	}
	return schedules.Entry{}, fmt.Errorf("%q matches %s; give the id of one of them, as listed by %s", said, messages.Counted(len(found), what), command)
}

// Entries returns either all watches or all scheduled prompts.
func (s *Service) Entries(watches bool) (list []schedules.Entry, err error) {
	all, err := s.Store.All()
	return lists.Filter(all, func(entry schedules.Entry) bool { return (entry.Watch != nil) == watches }), err
}

// Title describes the subject of an entry in one line.
func Title(entry schedules.Entry) string {
	if entry.Watch != nil {
		return clip(tools.Visible(entry.Watch.Said))
	}
	return clip(tools.Visible(entry.Prompt))
}

// target parses the destination of results: "notice", "ntfy:TOPIC" or "file:PATH".
func target(said, dir, home string) (string, error) {
	kind, place, _ := strings.Cut(strings.TrimSpace(said), ":")
	switch {
	case kind == "" || said == "notice":
		return "notice", nil
	case kind == "ntfy" && isTopic(place):
		return "ntfy:" + place, nil
	case kind == "file" && place != "":
		if rest, ok := strings.CutPrefix(place, "~/"); ok && home != "" {
			place = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(place) {
			place = filepath.Join(dir, place)
		}
		return "file:" + filepath.Clean(place), nil
	}
	return "", fmt.Errorf("--to: results cannot go to %q; use \"notice\", ntfy:TOPIC or file:PATH", said)
}
