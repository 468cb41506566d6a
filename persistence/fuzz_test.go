package persistence

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"marvin/persistence/chat"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/logins"
	"marvin/persistence/personal"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/persistence/spending"
)

func FuzzDocuments(f *testing.F) {
	for _, text := range []string{
		"", "{}", "[]", "null", "\x00\x00\x00", `[{"label":"home","lat":1e999}]`, `{"a":{"label":"x","url":"y"},"a":{}}`, `[{"topic":"t"}]`,
		`{"total_cost":1.5,"total_calls":{"a":1},"later":[1]}`, `{"spotify":{"access_token":"x"},"other":{"k":1}}`, `{"input":"x","queue":["y"]}`,
		"hosts:\n  a: http://b\n", "prices: {m: {input: 1, output: 2}}\n", "_HiStOrY_V2_\na\\040b\n", `{"directories":{"/x":{"named":{"a":"b"},"later":1},"/y":null}}`, `{"id":"x","total_cost":1}` + "\n{half",
		`[{"role":"you","text":"` + "\\ud800" + `","time":""}]`, "BEGIN:VCALENDAR\r\nEND:VCALENDAR",
	} {
		f.Add([]byte(text))
	}
	root, err := os.MkdirTemp("/dev/shm", "fuzz")
	if err != nil {
		root = f.TempDir()
	}
	f.Cleanup(func() { os.RemoveAll(root) })
	h := Open(root, func() time.Time { return storetest.Noon })
	profile := h.Profile("default")
	if err := os.MkdirAll(profile.Dir, 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for path, change := range map[string]func() error{
			profile.Path("saved_places.json"): func() error {
				_, _, err := personal.SavePlace(profile, "new", personal.PlaceChange{Name: new("Flat")})
				return err
			},
			profile.Path("bookmarks.json"): func() error {
				_, err := personal.BookmarksOf(profile).Save(personal.Bookmark{URL: "https://new.org"})
				return err
			},
			profile.Path("ntfy_subscriptions.json"): func() error {
				_, err := personal.TopicsOf(profile).Subscribe(personal.Subscription{Topic: "new"})
				return err
			},
			profile.Path("tokens.json"):   func() error { return logins.ChangeTokens(profile, func(*logins.Tokens) error { return nil }) },
			profile.Path("chat_log.json"): func() error { return chat.New(profile).Append(chat.Entry{Role: "you", Text: "new"}) },
			profile.Path("history"):       func() error { return chat.AddInput(profile, "new") },
			h.Path("usage.json"):          func() error { return spending.Of(h).Add(someTurn) },
			h.Path("usage.journal"):       func() error { return spending.Of(h).Add(someTurn) },
			h.Path("projects.json"): func() error {
				return projects.New(h).Change(root, func(known *projects.Project) { known.Named["new"] = "hash" })
			},
		} {
			check(t, h, path, data, change)
		}
		storetest.Must(t, os.WriteFile(h.Path("config.yaml"), data, 0o600))
		_, _ = settings.Read(h)
		storetest.Must(t, os.Remove(h.Path("config.yaml")))
	})
}

// check writes data to a path, changes the document there, and reads it.
func check(t *testing.T, h *Home, path string, data []byte, change func() error) {
	t.Helper()
	storetest.Must(t, os.WriteFile(path, data, 0o600))
	err := change()
	kept := []byte(nil)
	for _, name := range []string{h.FreeName(path)} {
		for len(name) > 0 && name[len(name)-1] == '+' {
			name = name[:len(name)-1]
		}
		kept, _ = os.ReadFile(name)
		_ = os.Remove(name)
	}
	now, failed := os.ReadFile(path)
	storetest.Must(t, failed)
	switch damaged := OnlyDamage(err); {
	case damaged && !holds(data, kept):
		t.Errorf("%s: %q was set aside as %q", path, data, kept)
	case err != nil && !damaged && !bytes.Equal(now, data):
		t.Errorf("%s: %q became %q although %v", path, data, now, err)
	case err == nil && slices.Contains([]string{".json"}, path[len(path)-5:]) && !json.Valid(now):
		t.Errorf("%s: %q became %q", path, data, now)
	}
	storetest.Must(t, os.Remove(path))
}

// holds reports whether whole contains every line of part.
func holds(whole, part []byte) bool {
	for line := range bytes.Lines(part) {
		if !bytes.Contains(whole, bytes.TrimSpace(line)) {
			return false
		}
	}
	return true
}
