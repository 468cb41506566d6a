package persistence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// writing is something that a Marvin writes, and how to see that it is there.
type writing struct {
	name    string
	lasting bool // once it is reported, a power cut cannot take it
	do      func(w workplace) error
	done    func(w workplace) bool
}

// workplace is where writings are done: a home and a project.
type workplace struct {
	*Home
	root string
}

func workAt(root string) workplace { return workplace{Open(filepath.Join(root, "home"), now), root} }

func (w workplace) project() string  { return filepath.Join(w.root, "project") }
func (w workplace) profile() Profile { return w.Profile("default") }
func (w workplace) audit() Audit     { return Audit{Path: filepath.Join(w.root, "audit.jsonl"), Now: now} }

func (w workplace) jobs() Jobs { return w.Jobs(w.project()) }

// job is the one with a title; none is the zero value.
func (w workplace) job(title string) Job {
	all, _ := w.jobs().List()
	if at := slices.IndexFunc(all, func(job Job) bool { return job.Title == title }); at >= 0 {
		return all[at]
	}
	return Job{}
}

// somewhere says whether a file whose path matches holds a text.
func (w workplace) somewhere(pattern, text string) bool {
	paths, _ := filepath.Glob(filepath.Join(w.root, pattern))
	return slices.ContainsFunc(paths, func(path string) bool {
		content, err := os.ReadFile(path)
		return err == nil && bytes.Contains(content, []byte(text))
	})
}

const profileFiles = "home/.config/marvin/profiles/default/"

// writings write every document there is, each where there is none and where there is one.
func writings() []writing {
	var all []writing
	add := func(name string, lasting bool, do func(w workplace) error, done func(w workplace) bool) {
		all = append(all, writing{name, lasting, do, done})
	}
	for _, round := range []string{"first", "second"} {
		add(round+" usage", false,
			func(w workplace) error { return w.Lifetime().Add(Usage{Turns: 1, Calls: map[string]int{round: 1}}) },
			func(w workplace) bool {
				usage, err := w.Lifetime().Usage()
				return err == nil && usage.Calls[round] == 1
			})
		add(round+" chat", true, func(w workplace) error {
			entries := make([]ChatEntry, keptInLog)
			for i := range entries {
				entries[i] = ChatEntry{Role: "you", Text: fmt.Sprintf("%s entry %d", round, i)}
			}
			return w.profile().Chat().Append(entries...)
		}, func(w workplace) bool { return w.somewhere(profileFiles+"chat_log.json*", round+" entry 19") })
		add(round+" place", true,
			func(w workplace) error {
				_, _, err := w.profile().SavePlace(round, PlaceChange{Name: new("Flat")})
				return err
			},
			func(w workplace) bool {
				places, err := w.profile().Places()
				return err == nil && slices.ContainsFunc(places, func(p Place) bool { return p.Label == round })
			})
		add(round+" bookmark", true,
			func(w workplace) error {
				_, err := w.profile().Bookmarks().Save(Bookmark{URL: "https://" + round + ".org"})
				return err
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"bookmarks.json", round+".org") })
		add(round+" preference", true,
			func(w workplace) error {
				_, err := w.profile().ChangePreference("notes", AddPreference, []string{round})
				return err
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"preferences.yaml", round) })
		add(round+" topic", true,
			func(w workplace) error {
				_, err := w.profile().Topics().Subscribe(Subscription{Topic: round})
				return err
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"ntfy_subscriptions.json", round) })
		add(round+" credentials", true,
			func(w workplace) error {
				return w.profile().ChangeCredentials(func(c *Credentials) error {
					c.Spotify = &SpotifyToken{AccessToken: round, RefreshToken: "of " + round}
					return nil
				})
			},
			func(w workplace) bool {
				known, err := w.profile().Credentials()
				return err == nil && known.Spotify != nil && (known.Spotify.AccessToken == round || known.Spotify.AccessToken == "second")
			})
		add(round+" alarm", true,
			func(w workplace) error { return w.Alarms().Save(Alarm{Label: round, Time: now()}) },
			func(w workplace) bool { _, err := w.Alarms().One(round); return err == nil })
		add(round+" event", true,
			func(w workplace) error {
				return w.profile().ChangeCalendar(func(text string) (string, error) {
					events := strings.TrimSuffix(strings.TrimPrefix(text, "BEGIN:VCALENDAR\r\n"), "END:VCALENDAR\r\n")
					return "BEGIN:VCALENDAR\r\n" + events + "X-" + round + ":1\r\nEND:VCALENDAR\r\n", nil
				})
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"calendar.ics", "X-"+round) })
		add(round+" input", false,
			func(w workplace) error { return w.profile().AddInput("typed " + round) },
			func(w workplace) bool {
				inputs, err := w.profile().Inputs()
				return err == nil && slices.Contains(inputs, "typed "+round)
			})
		add(round+" backup", true,
			func(w workplace) error {
				_, err := w.profile().BackupContext(w.project(), []ContextMessage{{Role: "user", Content: round}})
				return err
			},
			func(w workplace) bool {
				return w.somewhere("project/.marvin/logs/*.jsonl", round) || w.somewhere(profileFiles+"logs/*.jsonl", round)
			})
		add(round+" message shown", true,
			func(w workplace) error { return w.profile().Topics().NoteShown(round, "message of "+round) },
			func(w workplace) bool {
				file := profileFiles + "ntfy_subscriptions.json"
				return w.somewhere(file, "message of "+round) || !w.somewhere(file, fmt.Sprintf("%q", round)) // nothing to note it with
			})
		add(round+" project", false,
			func(w workplace) error {
				return w.Projects().Change(w.project(), func(known *Project) { known.Named[round], known.Always = "hash", true })
			},
			func(w workplace) bool {
				known, err := w.Projects().Of(w.project())
				return err == nil && known.Always && known.Named[round] == "hash"
			})
		add(round+" job", true,
			func(w workplace) error {
				id, stdout, stderr, err := w.jobs().Create("command")
				if err != nil {
					return err
				}
				return errors.Join(stdout.Close(), stderr.Close(), w.jobs().Add(Job{ID: id, Title: round, Status: "running"}))
			},
			func(w workplace) bool { return w.job(round).Status != "" })
		add(round+" job's end", false,
			func(w workplace) error {
				return w.jobs().Update(w.job(round).ID, func(job *Job) error { job.Status = "completed"; return nil })
			},
			func(w workplace) bool { return w.job(round).Status == "completed" })
		add(round+" audit", false,
			func(w workplace) error { return w.audit().Record(AuditedCall{Tool: round}) },
			func(w workplace) bool { return slices.Contains(audited(w), round) })
		add(round+" draft", false,
			func(w workplace) error {
				draft, _, err := w.profile().OpenDraft()
				return errors.Join(err, draft.Save(Unsent{Input: round}), draft.Close())
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"draft*.json", `"input"`) })
	}
	add("job removed", false,
		func(w workplace) error {
			err := w.jobs().Add(Job{ID: "command-removed", Title: "removed"})
			return errors.Join(err, w.jobs().Remove("command-removed"))
		},
		func(w workplace) bool { return w.job("removed").ID == "" })
	add("profile", true,
		func(w workplace) error { _, _, err := w.SwitchProfile("alex"); return err },
		func(w workplace) bool { name, err := w.LastProfile(); return err == nil && name == "alex" })
	add("compaction", true,
		func(w workplace) error {
			done, err := w.profile().Chat().Compact(1, length)
			if err == nil && done.Backup == "" {
				err = errors.New("there is nothing to compact")
			}
			return err
		},
		func(w workplace) bool { return w.somewhere(profileFiles+"chat_log.json.backup*", "first entry 0") })
	add("alarm taken", true,
		func(w workplace) error { _, err := w.Alarms().Take("second"); return err },
		func(w workplace) bool { _, err := w.Alarms().One("second"); return errors.Is(err, ErrNoAlarm) })
	all[slices.IndexFunc(all, func(d writing) bool { return d.name == "second alarm" })].done = func(workplace) bool { return true }
	return all
}

// audited are the tools that the audit log knows; half a line is passed over.
func audited(w workplace) (names []string) {
	content, _ := os.ReadFile(w.audit().Path)
	for line := range bytes.Lines(content) {
		var call struct{ Tool string }
		if json.Unmarshal(line, &call) == nil {
			names = append(names, call.Tool)
		}
	}
	return names
}

// reads loads every document. The error names those that cannot be read.
func (w workplace) reads() error {
	profile := w.profile()
	_, usage := w.Lifetime().Usage()
	_, chat := profile.Chat().Tail(10)
	_, places := profile.Places()
	_, bookmarks := profile.Bookmarks().All()
	_, topics := profile.Topics().All()
	_, credentials := profile.Credentials()
	_, alarms := w.Alarms().All()
	_, calendar := profile.Calendar()
	_, inputs := profile.Inputs()
	_, last := w.LastProfile()
	_, project := w.Projects().Of(w.project())
	_, jobs := w.jobs().List()
	if errors.Is(jobs, fs.ErrNotExist) { // a power cut took the whole project
		jobs = nil
	}
	text, preferences := profile.Preferences()
	if _, err := readYAML(text); err != nil {
		preferences = errors.Join(preferences, err)
	}
	return errors.Join(usage, chat, places, bookmarks, topics, credentials, alarms, calendar, inputs, last, preferences, project, jobs)
}

// worksAgain is what must go well after any fault, with the same Home.
func (w workplace) worksAgain() error {
	draft, _, opened := w.profile().OpenDraft()
	err := errors.Join(opened, draft.Save(Unsent{Input: "again"}), draft.Close(), w.profile().AddInput("again"),
		w.profile().Chat().Append(ChatEntry{Role: "you", Text: "again"}), w.audit().Record(AuditedCall{Tool: "again"}))
	if _, _, failed := w.profile().SavePlace("again", PlaceChange{Name: new("Flat")}); failed != nil {
		err = errors.Join(err, failed)
	}
	if failed := w.Lifetime().Add(someTurn); failed != nil && !OnlyDamage(failed) {
		err = errors.Join(err, failed)
	}
	return err
}

// Sizes of the chat log: what a compaction keeps, and from where on it is not written as a whole.
const (
	keptInLog    = 20
	rewrittenLog = 512 << 10
)

// someTurn has a cost that binary fractions hold exactly, so that sums can be compared.
var someTurn = Usage{Cost: 0.25, Turns: 1, Calls: map[string]int{"web_search": 1}}

func length(text string) int { return len(text) }

func step(text string) Entry {
	return Entry{Kind: "step", Body: json.RawMessage(`"` + text + `"`)}
}
