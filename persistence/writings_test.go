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

	"marvin/persistence/audit"
	"marvin/persistence/chat"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/internal/yamltext"
	"marvin/persistence/joblist"
	"marvin/persistence/logins"
	"marvin/persistence/personal"
	"marvin/persistence/projects"
	"marvin/persistence/sessions"
	"marvin/persistence/spending"
)

// writing is one kind of write by Marvin, with a check that its result is there.
type writing struct {
	name    string
	lasting bool // once it is reported, a power cut cannot take it
	do      func(w workplace) error
	done    func(w workplace) bool
}

// workplace is the home and the project in which writings are made.
type workplace struct {
	*Home
	root string
}

func workAt(root string) workplace {
	return workplace{Open(filepath.Join(root, "home"), storetest.Now), root}
}

func (w workplace) project() string  { return filepath.Join(w.root, "project") }
func (w workplace) profile() Profile { return w.Profile("default") }
func (w workplace) audit() audit.Log {
	return audit.Log{Path: filepath.Join(w.root, "audit.jsonl"), Now: storetest.Now}
}

func (w workplace) jobs() joblist.Jobs { return joblist.New(w.Home, w.project()) }

// job returns the job with a title, or the zero value if there is none.
func (w workplace) job(title string) joblist.Job {
	all, _ := w.jobs().List()
	if at := slices.IndexFunc(all, func(job joblist.Job) bool { return job.Title == title }); at >= 0 {
		return all[at]
	}
	return joblist.Job{}
}

// somewhere reports whether a file whose path matches a pattern contains a text.
func (w workplace) somewhere(pattern, text string) bool {
	paths, _ := filepath.Glob(filepath.Join(w.root, pattern))
	return slices.ContainsFunc(paths, func(path string) bool {
		content, err := os.ReadFile(path)
		return err == nil && bytes.Contains(content, []byte(text))
	})
}

const profileFiles = "home/.config/marvin/profiles/default/"

// writings returns a writing for every kind of document, once as a new file and once over an old
// one.
func writings() []writing {
	var all []writing
	add := func(name string, lasting bool, do func(w workplace) error, done func(w workplace) bool) {
		all = append(all, writing{name, lasting, do, done})
	}
	for _, round := range []string{"first", "second"} {
		add(round+" usage", false,
			func(w workplace) error {
				return spending.Of(w.Home).Add(spending.Usage{Turns: 1, Calls: map[string]int{round: 1}})
			},
			func(w workplace) bool {
				usage, err := spending.Of(w.Home).Usage()
				return err == nil && usage.Calls[round] == 1
			})
		add(round+" chat", true, func(w workplace) error {
			entries := make([]chat.Entry, keptInLog)
			for i := range entries {
				entries[i] = chat.Entry{Role: "you", Text: fmt.Sprintf("%s entry %d", round, i)}
			}
			return chat.New(w.profile()).Append(entries...)
		}, func(w workplace) bool { return w.somewhere(profileFiles+"chat_log.json*", round+" entry 19") })
		add(round+" place", true,
			func(w workplace) error {
				_, _, err := personal.SavePlace(w.profile(), round, personal.PlaceChange{Name: new("Flat")})
				return err
			},
			func(w workplace) bool {
				places, err := personal.Places(w.profile())
				return err == nil && slices.ContainsFunc(places, func(p personal.Place) bool { return p.Label == round })
			})
		add(round+" bookmark", true,
			func(w workplace) error {
				_, err := personal.BookmarksOf(w.profile()).Save(personal.Bookmark{URL: "https://" + round + ".org"})
				return err
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"bookmarks.json", round+".org") })
		add(round+" preference", true,
			func(w workplace) error {
				_, err := personal.ChangePreference(w.profile(), "notes", personal.AddPreference, []string{round})
				return err
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"preferences.yaml", round) })
		add(round+" topic", true,
			func(w workplace) error {
				_, err := personal.TopicsOf(w.profile()).Subscribe(personal.Subscription{Topic: round})
				return err
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"ntfy_subscriptions.json", round) })
		add(round+" credentials", true,
			func(w workplace) error {
				return logins.ChangeTokens(w.profile(), func(c *logins.Tokens) error {
					c.Spotify = &logins.SpotifyToken{AccessToken: round, RefreshToken: "of " + round}
					return nil
				})
			},
			func(w workplace) bool {
				known, err := logins.TokensOf(w.profile())
				return err == nil && known.Spotify != nil && (known.Spotify.AccessToken == round || known.Spotify.AccessToken == "second")
			})
		add(round+" alarm", true,
			func(w workplace) error {
				return personal.AlarmsOf(w.Home).Save(personal.Alarm{Label: round, Time: storetest.Now()})
			},
			func(w workplace) bool { _, err := personal.AlarmsOf(w.Home).Get(round); return err == nil })
		add(round+" event", true,
			func(w workplace) error {
				return personal.ChangeCalendar(w.profile(), func(text string) (string, error) {
					events := strings.TrimSuffix(strings.TrimPrefix(text, "BEGIN:VCALENDAR\r\n"), "END:VCALENDAR\r\n")
					return "BEGIN:VCALENDAR\r\n" + events + "X-" + round + ":1\r\nEND:VCALENDAR\r\n", nil
				})
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"calendar.ics", "X-"+round) })
		add(round+" input", false,
			func(w workplace) error { return chat.AddInput(w.profile(), "typed "+round) },
			func(w workplace) bool {
				inputs, err := chat.Inputs(w.profile())
				return err == nil && slices.Contains(inputs, "typed "+round)
			})
		add(round+" backup", true,
			func(w workplace) error {
				_, err := chat.BackupContext(w.profile(), w.project(), []chat.ContextMessage{{Role: "user", Content: round}})
				return err
			},
			func(w workplace) bool {
				return w.somewhere("project/.marvin/logs/*.jsonl", round) || w.somewhere(profileFiles+"logs/*.jsonl", round)
			})
		add(round+" message shown", true,
			func(w workplace) error { return personal.TopicsOf(w.profile()).NoteShown(round, "message of "+round) },
			func(w workplace) bool {
				file := profileFiles + "ntfy_subscriptions.json"
				return w.somewhere(file, "message of "+round) || !w.somewhere(file, fmt.Sprintf("%q", round)) // nothing to note it with
			})
		add(round+" project", false,
			func(w workplace) error {
				return projects.New(w.Home).Change(w.project(), func(known *projects.Project) { known.Named[round], known.Always = "hash", true })
			},
			func(w workplace) bool {
				known, err := projects.New(w.Home).Get(w.project())
				return err == nil && known.Always && known.Named[round] == "hash"
			})
		add(round+" job", true,
			func(w workplace) error {
				id, stdout, stderr, err := w.jobs().Create("command")
				if err != nil {
					return err
				}
				return errors.Join(stdout.Close(), stderr.Close(), w.jobs().Add(joblist.Job{ID: id, Title: round, Status: "running"}))
			},
			func(w workplace) bool { return w.job(round).Status != "" })
		add(round+" job's end", false,
			func(w workplace) error {
				return w.jobs().Update(w.job(round).ID, func(job *joblist.Job) error { job.Status = "completed"; return nil })
			},
			func(w workplace) bool { return w.job(round).Status == "completed" })
		add(round+" audit", false,
			func(w workplace) error { return w.audit().Record(audit.Call{Tool: round}) },
			func(w workplace) bool { return slices.Contains(audited(w), round) })
		add(round+" draft", false,
			func(w workplace) error {
				draft, _, err := chat.OpenDraft(w.profile())
				return errors.Join(err, draft.Save(chat.Unsent{Input: round}), draft.Close())
			},
			func(w workplace) bool { return w.somewhere(profileFiles+"draft*.json", `"input"`) })
	}
	add("job removed", false,
		func(w workplace) error {
			err := w.jobs().Add(joblist.Job{ID: "command-removed", Title: "removed"})
			return errors.Join(err, w.jobs().Remove("command-removed"))
		},
		func(w workplace) bool { return w.job("removed").ID == "" })
	add("profile", true,
		func(w workplace) error { _, _, err := personal.SwitchProfile(w.Home, "alex"); return err },
		func(w workplace) bool { name, err := w.LastProfile(); return err == nil && name == "alex" })
	add("compaction", true,
		func(w workplace) error {
			done, err := chat.New(w.profile()).Compact(1, length)
			if err == nil && done.Backup == "" {
				err = errors.New("there is nothing to compact")
			}
			return err
		},
		func(w workplace) bool { return w.somewhere(profileFiles+"chat_log.json.backup*", "first entry 0") })
	add("alarm taken", true,
		func(w workplace) error { _, err := personal.AlarmsOf(w.Home).Take("second"); return err },
		func(w workplace) bool {
			_, err := personal.AlarmsOf(w.Home).Get("second")
			return errors.Is(err, personal.ErrNoAlarm)
		})
	all[slices.IndexFunc(all, func(d writing) bool { return d.name == "second alarm" })].done = func(workplace) bool { return true }
	return all
}

// audited returns the tools in the audit log. It skips a partial line.
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
	_, usage := spending.Of(w.Home).Usage()
	_, talk := chat.New(profile).Tail(10)
	_, places := personal.Places(profile)
	_, bookmarks := personal.BookmarksOf(profile).All()
	_, topics := personal.TopicsOf(profile).All()
	_, credentials := logins.TokensOf(profile)
	_, alarms := personal.AlarmsOf(w.Home).All()
	_, calendar := personal.Calendar(profile)
	_, inputs := chat.Inputs(profile)
	_, last := w.LastProfile()
	_, project := projects.New(w.Home).Get(w.project())
	_, jobs := w.jobs().List()
	if errors.Is(jobs, fs.ErrNotExist) { // a power cut took the whole project
		jobs = nil
	}
	text, preferences := personal.Preferences(profile)
	if _, err := yamltext.Read(text); err != nil {
		preferences = errors.Join(preferences, err)
	}
	return errors.Join(usage, talk, places, bookmarks, topics, credentials, alarms, calendar, inputs, last, preferences, project, jobs)
}

// worksAgain makes writes that must succeed after any fault, with the same Home.
func (w workplace) worksAgain() error {
	draft, _, opened := chat.OpenDraft(w.profile())
	err := errors.Join(opened, draft.Save(chat.Unsent{Input: "again"}), draft.Close(), chat.AddInput(w.profile(), "again"),
		chat.New(w.profile()).Append(chat.Entry{Role: "you", Text: "again"}), w.audit().Record(audit.Call{Tool: "again"}))
	if _, _, failed := personal.SavePlace(w.profile(), "again", personal.PlaceChange{Name: new("Flat")}); failed != nil {
		err = errors.Join(err, failed)
	}
	if failed := spending.Of(w.Home).Add(someTurn); failed != nil && !OnlyDamage(failed) {
		err = errors.Join(err, failed)
	}
	return err
}

// Sizes of the chat log: the size after a compaction, and the size from which it is no longer
// rewritten as a whole.
const (
	keptInLog    = 20
	rewrittenLog = 512 << 10
)

// someTurn has a cost that binary fractions represent exactly, so that sums can be compared.
var someTurn = spending.Usage{Cost: 0.25, Turns: 1, Calls: map[string]int{"web_search": 1}}

func length(text string) int { return len(text) }

func step(text string) sessions.Entry {
	return sessions.Entry{Kind: "step", Body: json.RawMessage(`"` + text + `"`)}
}
