package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestChatTailReadsBothEarlierMarvins(t *testing.T) {
	python, err := New(storetest.CopyOf(t, "../testdata/python").Profile("main")).Tail(4)
	storetest.Must(t, err)
	want := []Entry{
		{"assistant", "Luigi’s, 1 High St: 4.6 ★\nOpen until 22:00 <tonight>", "14:30"},
		{"you", "$ date", "14:31"},
		{"assistant", "Sat Feb 14 14:31:07 CET 2026", "14:31"},
		{"system", "🔔 reminders: take the pizza out", "14:55"},
	}
	if !reflect.DeepEqual(python, want) {
		t.Errorf("python: %q", python)
	}
	typescript, err := New(storetest.CopyOf(t, "../testdata/typescript").Profile("main")).Tail(20)
	storetest.Must(t, err)
	want = []Entry{
		{"you", "Find pizza near me", "2026-02-14T13:30:05.120Z"},
		{"assistant", "Luigi’s, 1 High St: 4.6 ★", "2026-02-14T13:30:09.004Z"},
	}
	if !reflect.DeepEqual(typescript, want) {
		t.Errorf("typescript: %q", typescript)
	}
}

func TestFirstChatEntryIsWrittenAsEarlierMarvinsDo(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	storetest.Must(t, New(profile).Append(
		Entry{Role: "you", Text: "Where is <Café> & Co?"},
		Entry{Role: "system", Text: " \n"},
		Entry{Role: "assistant", Text: "Here:\n\"1 High St\"", Time: "12:31"},
	))
	storetest.Must(t, New(profile).Append()) // nothing said, nothing written
	want := `[
  {
    "role": "you",
    "text": "Where is <Café> & Co?",
    "time": "12:30"
  },
  {
    "role": "assistant",
    "text": "Here:\n\"1 High St\"",
    "time": "12:31"
  }
]`
	if got := storetest.Get(t, profile.Path("chat_log.json")); got != want {
		t.Errorf("got %s", got)
	}
}

func TestAppendKeepsEveryByteOfTheLog(t *testing.T) {
	for name, before := range map[string]string{
		"python":      storetest.Get(t, "../testdata/python/.config/marvin/profiles/main/chat_log.json"),
		"typescript":  storetest.Get(t, "../testdata/typescript/.config/marvin/profiles/main/chat_log.json"),
		"extra keys":  "[\n  {\"role\": \"you\", \"text\": \"x\", \"mood\": {\"a\": []}}\n]\n",
		"on one line": `[{"role":"you","text":"]","time":"10:00"}]`,
		"long":        longLog(t, 5<<20),
	} {
		profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
		path := profile.Path("chat_log.json")
		storetest.Put(t, path, before)
		storetest.Must(t, New(profile).Append(Entry{Role: "you", Text: "one"}))
		storetest.Must(t, New(profile).Append(Entry{Role: "assistant", Text: "two"}))
		after := storetest.Get(t, path)
		kept := before[:strings.LastIndex(before, "}")+1]
		added := `,
  {
    "role": "you",
    "text": "one",
    "time": "12:30"
  },
  {
    "role": "assistant",
    "text": "two",
    "time": "12:30"
  }
]`
		if after != kept+added {
			t.Errorf("%s: the log ends with %s", name, after[max(0, len(after)-300):])
		}
		if !json.Valid([]byte(after)) {
			t.Errorf("%s: not JSON any more", name)
		}
	}
}

// longLog writes a log of at least size bytes.
func longLog(t *testing.T, size int) string {
	t.Helper()
	entries := make([]Entry, size/1000)
	for i := range entries {
		entries[i] = Entry{Role: "you", Text: strings.Repeat("{\n  {", 200), Time: "10:00"}
	}
	encoded, err := json.MarshalIndent(entries, "", "  ")
	storetest.Must(t, err)
	return string(encoded)
}

func TestEmptyLogsAreBegun(t *testing.T) {
	for _, before := range []string{"", " \n", "[]", "[\n]\n"} {
		profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
		storetest.Put(t, profile.Path("chat_log.json"), before)
		storetest.Must(t, New(profile).Append(Entry{Role: "you", Text: "x"}))
		log, err := New(profile).Tail(5)
		if err != nil || len(log) != 1 {
			t.Errorf("%q: %v, %v", before, log, err)
		}
		if none, err := New(profile).Tail(-1); err != nil || len(none) != 0 {
			t.Errorf("less than no entries: %v, %v", none, err)
		}
	}
}

// A log is cut at every byte, or a part of it is replaced by zero bytes. Every complete entry is
// still read, and an append keeps these entries and the damaged file.
func TestLogTornAtEveryByte(t *testing.T) {
	whole := storetest.Get(t, "../testdata/python/.config/marvin/profiles/main/chat_log.json")
	entries := strings.Count(whole, `"role"`)
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	path := profile.Path("chat_log.json")
	for cut := 1; cut < len(whole); cut++ {
		zeroed := []byte(whole)
		copy(zeroed[cut:min(cut+40, len(zeroed))], bytes.Repeat([]byte{0}, 40))
		for _, content := range []string{whole[:cut], string(zeroed)} {
			storetest.Put(t, path, content)
			complete := strings.Count(content[:min(cut, len(content))], "\n  }") // before the damage
			log, err := New(profile).Tail(20)
			if len(log) < complete || len(log) > entries {
				t.Fatalf("cut at %d: %d of %d entries are read", cut, len(log), complete)
			}
			var damaged *store.DamagedError
			if err != nil && !errors.As(err, &damaged) {
				t.Fatal(err)
			}
		}
	}
	storetest.Put(t, path, whole[:len(whole)-30])
	var damaged *store.RenewedError
	if err := New(profile).Append(Entry{Role: "you", Text: "go on"}); !errors.As(err, &damaged) {
		t.Fatalf("appending to a torn log says %v", err)
	}
	if got := storetest.Get(t, damaged.Kept); got != whole[:len(whole)-30] {
		t.Error("the torn log was not kept as it was")
	}
	if !errors.Is(damaged, damaged.Err) {
		t.Error("the damage does not say by what")
	}
	log, err := New(profile).Tail(20)
	if err != nil || len(log) != entries || log[entries-1].Text != "go on" || log[0].Text != "Find pizza near me" {
		t.Errorf("the new log has %d entries, %v", len(log), err)
	}
}

func TestTornLongLogIsSetAsideAndSessionContinues(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	long := longLog(t, 5<<20)
	storetest.Put(t, profile.Path("chat_log.json"), long[:len(long)-100])
	var damaged *store.RenewedError
	if err := New(profile).Append(Entry{Role: "you", Text: "go on"}); !errors.As(err, &damaged) {
		t.Fatalf("got %v", err)
	}
	log, err := New(profile).Tail(1000)
	if err != nil || len(log) != salvageCount+1 {
		t.Errorf("%d entries, %v", len(log), err)
	}
}

// A process that is killed while it writes to the end of a long log may leave any part of the text.
// The next process completes it.
func TestAnAppendThatWasKilledIsEnded(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	path := profile.Path("chat_log.json")
	old := longLog(t, rewriteLimit+1)
	storetest.Put(t, path, old)
	entry := Entry{Role: "you", Text: "killed in the middle", Time: "10:00"}
	storetest.Must(t, New(profile).Append(entry))
	appended := storetest.Get(t, path)
	at := strings.LastIndex(old, "}") + 1
	begun := fmt.Sprintf("%d %d\n%s", at, len(appended)-at, appended[at:])
	last := func(want string) {
		t.Helper()
		entries, err := New(profile).Tail(1)
		if err != nil || len(entries) != 1 || entries[0].Text != want {
			t.Fatalf("the last entry is %v, %v", entries, err)
		}
	}
	for written := range len(appended) - at + 1 {
		log := appended[:at+written] + old[min(len(old), at+written):]
		storetest.Put(t, path, log)
		storetest.Put(t, store.HiddenBeside(path, unfinished), begun)
		if written%2 == 0 {
			last(entry.Text)
		}
		storetest.Must(t, New(profile).Append(Entry{Role: "you", Text: "next", Time: "10:01"}))
		if got := storetest.Get(t, path); !strings.HasPrefix(got, strings.TrimSuffix(appended, "\n]")+",") || !json.Valid([]byte(got)) {
			t.Fatalf("of %d bytes: it ends with %q", written, got[len(got)-200:])
		}
		last("next")
	}
	// An incomplete copy means that the write to the log has not begun.
	for cut := range len(begun) {
		storetest.Put(t, path, old)
		storetest.Put(t, store.HiddenBeside(path, unfinished), begun[:cut])
		_, err := New(profile).Tail(1)
		storetest.Must(t, err)
		if got := storetest.Get(t, path); got != old {
			t.Fatalf("of %d bytes that stood beside it: it ends with %q", cut, got[len(got)-200:])
		}
	}
	// Another Marvin continued, or a power cut removed the tail.
	for _, log := range []string{old[:at] + ",\n  {}\n]", old[:at-200], old + strings.Repeat(" ", len(begun)), strings.Repeat("x", len(old))} {
		storetest.Put(t, path, log)
		storetest.Put(t, store.HiddenBeside(path, unfinished), begun)
		_, _ = New(profile).Tail(1)
		if got := storetest.Get(t, path); got != log {
			t.Errorf("what ended with %q ends with %q", log[len(log)-20:], got[len(got)-20:])
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"+unfinished)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// An unreadable file may contain the rest of an entry, so it stays and the error names it.
	storetest.Must(t, os.Mkdir(store.HiddenBeside(path, unfinished), 0o700))
	storetest.Put(t, path, old)
	if err := New(profile).Append(entry); err == nil || !strings.Contains(err.Error(), unfinished) || storetest.Get(t, path) != old {
		t.Errorf("what cannot be read: %v", err)
	}
	if _, err := os.Lstat(store.HiddenBeside(path, unfinished)); err != nil {
		t.Error(err)
	}
}

// A log of 3 GB (here it is mostly a hole) is read and continued at its end.
func TestHugeLogCostsNothing(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	path := profile.Path("chat_log.json")
	end := storetest.Get(t, "../testdata/python/.config/marvin/profiles/main/chat_log.json")[1:]
	storetest.Put(t, path, "[")
	storetest.Must(t, os.Truncate(path, 3<<30))
	storetest.Must(t, store.AppendTo(path, []byte(end)))
	before := readByAll(t)
	storetest.Must(t, New(profile).Append(Entry{Role: "you", Text: "still there?"}))
	log, err := New(profile).Tail(3)
	if read := readByAll(t) - before; read > 1<<20 {
		t.Errorf("%d bytes were read", read)
	}
	if err != nil || len(log) != 3 || log[2].Text != "still there?" || log[1].Role != "system" {
		t.Errorf("%v, %v", log, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() < 3<<30 {
		t.Errorf("the log became %v, %v", info, err)
	}
}

func FuzzSalvage(f *testing.F) {
	f.Add([]byte("[\n  {\n    \"role\": \"you\"\n  }\n]"), true)
	f.Add([]byte("\n  {\n  {\n  {\"role\": \"a\"}"), false)
	f.Fuzz(func(t *testing.T, data []byte, whole bool) {
		entries, err := chatEntries(data, whole)
		if whole && err == nil && len(bytes.TrimSpace(data)) > 0 && !json.Valid(data) {
			t.Errorf("%q is damaged, but gave %v without an error", data, entries)
		}
	})
}
