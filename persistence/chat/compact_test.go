package chat

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// letters counts one token per byte, so that a reader can check the numbers below.
func letters(text string) int { return len(text) }

// logOf writes a log with one entry for each text, formatted as by hand and with a key that this
// Marvin does not know.
func logOf(t *testing.T, profile store.Profile, texts ...string) string {
	t.Helper()
	var out strings.Builder
	for i, text := range texts {
		separator := ",\n"
		if i == 0 {
			separator = "[\n"
		}
		fmt.Fprintf(&out, "%s  {\n    \"role\": \"you\",\n    \"text\": \"%s\",\n    \"time\": \"10:%02d\",\n    \"mood\": \"caf\\u00e9\"\n  }", separator, text, i)
	}
	storetest.Put(t, profile.Path("chat_log.json"), out.String()+"\n]")
	return out.String() + "\n]"
}

func TestCompactingKeepsTheNewestAndShortensTheRest(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	texts := []string{strings.Repeat("dropped ", 30), "first short", strings.Repeat("é", 300)}
	for i := range keptEntries {
		texts = append(texts, fmt.Sprintf("newest %02d ", i)+strings.Repeat("n", 300))
	}
	before := logOf(t, profile, texts...)
	newest := 310 * keptEntries
	done, err := New(profile).Compact(newest+11+403, letters)
	storetest.Must(t, err)
	path := profile.Path("chat_log.json")
	if want := path + ".backup.20260214_123015"; done.Backup != want || storetest.Get(t, want) != before {
		t.Errorf("backup %q", done.Backup)
	}
	after := storetest.Get(t, path)
	start := strings.Index(before, "  {\n    \"role\": \"you\",\n    \"text\": \"first short\"")
	want := "[\n" + strings.Replace(before[start:], strings.Repeat("é", 300), strings.Repeat("é", 200)+"...", 1)
	if after != want {
		t.Errorf("got %s", after)
	}
	if done.Entries != 23 || done.Kept != 22 || done.After != newest+11+403 || done.Before != newest+240+11+600 || done.NewestTooMuch {
		t.Errorf("%+v", done)
	}
	again, err := New(profile).Compact(newest+11+403, letters)
	if err != nil || again.Backup != "" || storetest.Get(t, path) != want {
		t.Errorf("the second time: %+v, %v", again, err)
	}
}

func TestWithinTheBudgetNothingIsTouched(t *testing.T) {
	h := storetest.CopyOf(t, "../testdata/python")
	for profile, target := range map[store.Profile]int{h.Profile("main"): 1000, h.Profile("none"): 1, h.Profile("main2"): 1} {
		if profile.Name == "main2" { // more than the target, but all of it the newest
			logOf(t, profile, "one", "two")
		}
		done, err := New(profile).Compact(target, letters)
		if err != nil || done.Backup != "" || done.Before != done.After || done.NewestTooMuch != (profile.Name == "main2") {
			t.Errorf("%s: %+v, %v", profile.Name, done, err)
		}
		if backups, _ := filepath.Glob(profile.Path("chat_log.json.backup*")); len(backups) > 0 {
			t.Errorf("%s: %v", profile.Name, backups)
		}
	}
}

func many(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("entry %d", i)
	}
	return texts
}

func TestBackupsOfOneSecondAreAllKept(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	for n, want := range []string{"", "-2", "-3"} {
		before := logOf(t, profile, many(30+n)...)
		done, err := New(profile).Compact(1, letters)
		storetest.Must(t, err)
		if name := profile.Path("chat_log.json.backup.20260214_123015" + want); done.Backup != name || storetest.Get(t, name) != before || !done.NewestTooMuch {
			t.Errorf("%+v", done)
		}
	}
}

// A log that cannot be backed up is not shortened.
func TestALogThatCannotBeBackedUpStaysWhole(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	before := logOf(t, profile, many(30)...)
	for n := 0; n < 1000; n++ { // every name is taken
		name := profile.Path("chat_log.json.backup.20260214_123015")
		if n > 0 {
			name = fmt.Sprintf("%s-%d", name, n+1)
		}
		storetest.Must(t, os.WriteFile(name, []byte("mine"), 0o600))
	}
	if _, err := New(profile).Compact(1, letters); !errors.Is(err, os.ErrExist) || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("got %v", err)
	}
	if storetest.Get(t, profile.Path("chat_log.json")) != before || storetest.Get(t, profile.Path("chat_log.json.backup.20260214_123015")) != "mine" {
		t.Error("something was changed")
	}
}

func TestADamagedLogIsNotCompacted(t *testing.T) {
	for _, damaged := range []string{`[{"role": "you"`, `{"role": "you"}`, `[{"role": "you"}`, `[7]`, "\x00"} {
		profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
		storetest.Put(t, profile.Path("chat_log.json"), damaged)
		var report *store.DamagedError
		if _, err := New(profile).Compact(1, letters); !errors.As(err, &report) {
			t.Errorf("%q: %v", damaged, err)
		}
		if storetest.Get(t, profile.Path("chat_log.json")) != damaged {
			t.Errorf("%q was changed", damaged)
		}
	}
}
