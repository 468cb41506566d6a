package persistence

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/persistence/disktest"
)

// deed is something that is done with the files of a home, of which the first may be in the
// way.
type deed struct {
	name string
	file string // from the root; % is the conversation that there is
	do   func(w workplace, id string) (any, error)
}

const (
	stateFiles = "home/.config/local-finder/"
	dataFiles  = "home/.local/share/marvin/"
)

// settled is a home in which everything has been written, and its one conversation.
func settled(root string) (id string, err error) {
	w := workAt(root)
	if err := errors.Join(os.MkdirAll(w.project(), 0o700), os.MkdirAll(w.User, 0o700)); err != nil {
		return "", err
	}
	for _, writing := range writings() {
		err = errors.Join(err, writing.do(w))
	}
	session, failed := w.Sessions().Create(SessionHeader{Dir: w.project(), Profile: "default"})
	if failed != nil {
		return "", errors.Join(err, failed)
	}
	id = session.Header().ID
	one, two := said("one"), said("two")
	one.At, two.At = now(), now().Add(time.Second)
	two.About.Name, two.Of = "named", 1
	writer, failed := w.Artifacts(id).Begin(Artifact{Tool: "run_command", Name: "whole", Media: "image/png"})
	if failed == nil {
		_, failed = io.WriteString(writer, "a\nb\n")
		_, closed := writer.Close()
		failed = errors.Join(failed, closed)
	}
	folder := filepath.Join(w.project(), ".marvin", "tools", "greet")
	return id, errors.Join(err, failed, session.Append(true, one, two), session.Note(), wordsOf(w, session), session.Close(),
		w.Undo(id).Add([]UndoRecord{{Kind: UndoWrite, Turn: "t1", Dir: "/p", Name: "a", At: now()}}, [][]byte{[]byte("before")}),
		w.jobs().Add(Job{ID: "command-fixed", Title: "third", Status: "completed"}), os.WriteFile(w.jobs().LogPath("command-fixed"), []byte("output"), 0o600),
		Choices{w.Home}.Change(w.project(), func(c *Choice) { c.Model = "m" }),
		w.Offers().Accept(w.project(), "srv", "hash"),
		w.Servers().KeepFile("srv", []byte(`{"kept":1}`)),
		Accounts{w.Home}.Set("chatgpt", Account{ID: "me", AccessToken: "token"}),
		ServerLogins{w.Home}.Set("srv", ServerLogin{Address: "https://a.org", AccessToken: "token"}),
		os.WriteFile(filepath.Join(w.State, "config.yaml"), []byte("theme: dark\nmcp:\n  srv:\n    command: [srv]\n"), 0o600),
		os.MkdirAll(filepath.Join(w.State, "calendar"), 0o700), os.WriteFile(filepath.Join(w.project(), ".marvin", "instructions.md"), []byte("Be brief."), 0o600), os.WriteFile(filepath.Join(w.State, "calendar", "a.ics"), []byte("BEGIN:VEVENT"), 0o600),
		os.MkdirAll(filepath.Join(w.State, "themes"), 0o700), os.WriteFile(filepath.Join(w.State, "themes", "mine.theme"), []byte("base: dark"), 0o600),
		os.MkdirAll(filepath.Join(folder, "lib", "below"), 0o700), os.WriteFile(filepath.Join(folder, "lib", "words"), []byte("hello"), 0o600), os.WriteFile(filepath.Join(folder, "tool.yaml"), []byte("description: Greets\nparameters: {type: object}\ncommand: [./greet]\neffect: read\n"), 0o600),
		disktest.WriteProgram(filepath.Join(folder, "greet"), []byte("#!/bin/sh\necho hello\n"), 0o700))
}

// wordsOf keeps that everybody is named in a conversation.
func wordsOf(w workplace, session *Session) error {
	words := &Words{Covered: session.Info().Size}
	words.Add("everybody")
	return KeepWords(w.Sessions(), session.Info(), words)
}

// documentDeeds are those of a person.
var documentDeeds = []deed{
	{"read usage", stateFiles + "usage.json", func(w workplace, _ string) (any, error) { return w.Lifetime().Usage() }},
	{"add usage", stateFiles + "usage.json", func(w workplace, _ string) (any, error) { return nil, w.Lifetime().Add(oneTurn) }},
	{"charge usage", stateFiles + "usage.journal", func(w workplace, _ string) (any, error) {
		return nil, errors.Join(w.Lifetime().Charge(oneTurn), w.Lifetime().Merge())
	}},
	{"tail the chat", profileFiles + "chat_log.json", func(w workplace, _ string) (any, error) { return w.profile().Chat().Tail(2) }},
	{"append to the chat", profileFiles + "chat_log.json", func(w workplace, _ string) (any, error) {
		return nil, w.profile().Chat().Append(ChatEntry{Role: "you", Text: "new"})
	}},
	{"compact the chat", profileFiles + "chat_log.json", func(w workplace, _ string) (any, error) {
		done, err := w.profile().Chat().Compact(60, letters)
		done.Backup = filepath.Base(done.Backup)
		return done, err
	}},
	{"read places", profileFiles + "saved_places.json", func(w workplace, _ string) (any, error) { return w.profile().Places() }},
	{"save a place", profileFiles + "saved_places.json", func(w workplace, _ string) (any, error) {
		isNew, total, err := w.profile().SavePlace("third", PlaceChange{Name: words("Flat")})
		return []any{isNew, total}, err
	}},
	{"remove a place", profileFiles + "saved_places.json", func(w workplace, _ string) (any, error) { return w.profile().RemovePlace("first") }},
	{"read bookmarks", profileFiles + "bookmarks.json", func(w workplace, _ string) (any, error) { return w.profile().Bookmarks().All() }},
	{"save a bookmark", profileFiles + "bookmarks.json", func(w workplace, _ string) (any, error) {
		return w.profile().Bookmarks().Save(Bookmark{URL: "https://third.org", Tags: []string{"a"}})
	}},
	{"change a bookmark", profileFiles + "bookmarks.json", func(w workplace, _ string) (any, error) {
		return w.profile().Bookmarks().Change("https://first.org", func(b *Bookmark) bool { b.Title, b.Tags = "First", []string{"x"}; return true })
	}},
	{"remove a bookmark", profileFiles + "bookmarks.json", func(w workplace, _ string) (any, error) {
		return w.profile().Bookmarks().Change("https://first.org/", func(*Bookmark) bool { return false })
	}},
	{"change a bookmark to another", profileFiles + "bookmarks.json", func(w workplace, _ string) (any, error) {
		return w.profile().Bookmarks().Change("https://first.org", func(b *Bookmark) bool { b.URL = "https://second.org"; return true })
	}},
	{"change no bookmark", profileFiles + "bookmarks.json", func(w workplace, _ string) (any, error) {
		return w.profile().Bookmarks().Change("https://no.org", func(*Bookmark) bool { return true })
	}},
	{"read shared bookmarks", stateFiles + "bookmarks.json", func(w workplace, _ string) (any, error) { return w.profile().Bookmarks().All() }},
	{"read preferences", profileFiles + "preferences.yaml", func(w workplace, _ string) (any, error) { return w.profile().Preferences() }},
	{"set a preference", profileFiles + "preferences.yaml", func(w workplace, _ string) (any, error) {
		return w.profile().ChangePreference("favorite_cuisines", SetPreference, []string{"thai", "greek"})
	}},
	{"remove a preference", profileFiles + "preferences.yaml", func(w workplace, _ string) (any, error) {
		return w.profile().ChangePreference("notes", RemovePreference, []string{"first"})
	}},
	{"create preferences", profileFiles + "preferences.yaml", func(w workplace, _ string) (any, error) { return w.profile().CreatePreferences() }},
	{"read topics", profileFiles + "ntfy_subscriptions.json", func(w workplace, _ string) (any, error) { return w.profile().Topics().All() }},
	{"subscribe", profileFiles + "ntfy_subscriptions.json", func(w workplace, _ string) (any, error) {
		return w.profile().Topics().Subscribe(Subscription{Topic: "third"})
	}},
	{"unsubscribe", profileFiles + "ntfy_subscriptions.json", func(w workplace, _ string) (any, error) { return w.profile().Topics().Unsubscribe("first") }},
	{"note what was sent", profileFiles + "ntfy_subscriptions.json", func(w workplace, _ string) (any, error) {
		return nil, errors.Join(w.profile().Topics().NoteSent("first", "m1"), w.profile().Topics().NoteShown("second", "m2"))
	}},
	{"read credentials", profileFiles + "tokens.json", func(w workplace, _ string) (any, error) { return w.profile().Credentials() }},
	{"change credentials", profileFiles + "tokens.json", func(w workplace, _ string) (any, error) {
		return nil, w.profile().ChangeCredentials(func(c *Credentials) error { c.Spotify = nil; return nil })
	}},
	{"lock a login", profileFiles + ".login.lock", func(w workplace, _ string) (any, error) {
		unlock, err := w.profile().LockLogin()
		if err == nil {
			err = unlock()
		}
		return nil, err
	}},
	{"read alarms", stateFiles + "alarms/first.json", func(w workplace, _ string) (any, error) { return w.Alarms().All() }},
	{"read an alarm", stateFiles + "alarms/first.json", func(w workplace, _ string) (any, error) { return w.Alarms().One("first") }},
	{"read an alarm of no name", stateFiles + "alarms/first.json", func(w workplace, _ string) (any, error) { return w.Alarms().One("../first") }},
	{"save an alarm", stateFiles + "alarms/first.json", func(w workplace, _ string) (any, error) {
		return nil, w.Alarms().Save(Alarm{Label: "first", Time: now(), Message: "again"})
	}},
	{"save a reminder", stateFiles + "calendar_reminders/third.json", func(w workplace, _ string) (any, error) {
		return filepath.Base(w.Alarms().ReminderScript("third")), w.Alarms().Save(Alarm{Label: "third", Time: now(), Reminder: true})
	}},
	{"take an alarm", stateFiles + "alarms/first.json", func(w workplace, _ string) (any, error) { return w.Alarms().Take("first") }},
	{"read the calendar", profileFiles + "calendar.ics", func(w workplace, _ string) (any, error) { return w.profile().Calendar() }},
	{"change the calendar", profileFiles + "calendar.ics", func(w workplace, _ string) (any, error) {
		return nil, w.profile().ChangeCalendar(func(text string) (string, error) { return strings.Replace(text, "X-first", "X-third", 1), nil })
	}},
	{"leave the calendar", profileFiles + "calendar.ics", func(w workplace, _ string) (any, error) {
		return nil, w.profile().ChangeCalendar(func(string) (string, error) { return "", errors.New("no such event") })
	}},
	{"read loose events", stateFiles + "calendar/a.ics", func(w workplace, _ string) (any, error) { return w.LooseEvents() }},
	{"remove a loose event", stateFiles + "calendar/a.ics", func(w workplace, _ string) (any, error) { return nil, w.RemoveLooseEvent("a.ics") }},
	{"read what was typed", profileFiles + "history", func(w workplace, _ string) (any, error) { return w.profile().Inputs() }},
	{"type", profileFiles + "history", func(w workplace, _ string) (any, error) { return nil, w.profile().AddInput("third") }},
	{"read which profile was last", stateFiles + "last_profile", func(w workplace, _ string) (any, error) { return w.LastProfile() }},
	{"switch the profile", stateFiles + "last_profile", func(w workplace, _ string) (any, error) {
		profile, isNew, err := w.SwitchProfile("bea")
		return []any{profile.Name, isNew}, err
	}},
	{"list profiles", stateFiles + "profiles/alex", func(w workplace, _ string) (any, error) { return w.Profiles() }},
	{"back a conversation up", "project/.marvin/logs", func(w workplace, _ string) (any, error) {
		path, err := w.profile().BackupContext(w.project(), []ContextMessage{{Role: "user", Content: "again"}})
		return strings.TrimPrefix(path, w.root), err
	}},
	{"search backups", "project/.marvin/logs", func(w workplace, _ string) (any, error) {
		hits, cut, err := w.profile().SearchBackups(w.project(), 3, func(text string) bool { return strings.Contains(text, "first") })
		return []any{hits, cut}, err
	}},
	{"audit a call", "audit.jsonl", func(w workplace, _ string) (any, error) {
		return nil, errors.Join(w.audit().Begin(AuditedCall{Tool: "third"}), w.audit().Record(AuditedCall{Tool: "third", Args: []byte(`{"a":"b"}`), Result: "done", Failed: true}))
	}},
	{"read the audit", "audit.jsonl", func(w workplace, _ string) (any, error) {
		var tools []string
		strange, err := ReadAudit(w.audit().Path, func(call LoggedCall) { tools = append(tools, call.Tool) })
		return []any{tools, strange}, err
	}},
}
