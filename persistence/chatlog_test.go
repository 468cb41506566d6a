package persistence

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
)

func TestChatTailReadsBothEarlierMarvins(t *testing.T) {
	python, err := copyOf(t, "testdata/python").Profile("main").Chat().Tail(4)
	must(t, err)
	want := []ChatEntry{
		{"assistant", "Luigi’s, 1 High St: 4.6 ★\nOpen until 22:00 <tonight>", "14:30"},
		{"you", "$ date", "14:31"},
		{"assistant", "Sat Feb 14 14:31:07 CET 2026", "14:31"},
		{"system", "🔔 reminders: take the pizza out", "14:55"},
	}
	if !reflect.DeepEqual(python, want) {
		t.Errorf("python: %q", python)
	}
	typescript, err := copyOf(t, "testdata/typescript").Profile("main").Chat().Tail(20)
	must(t, err)
	want = []ChatEntry{
		{"you", "Find pizza near me", "2026-02-14T13:30:05.120Z"},
		{"assistant", "Luigi’s, 1 High St: 4.6 ★", "2026-02-14T13:30:09.004Z"},
	}
	if !reflect.DeepEqual(typescript, want) {
		t.Errorf("typescript: %q", typescript)
	}
}

func TestFirstChatEntryIsWrittenAsEarlierMarvinsDo(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	must(t, profile.Chat().Append(
		ChatEntry{Role: "you", Text: "Where is <Café> & Co?"},
		ChatEntry{Role: "system", Text: " \n"},
		ChatEntry{Role: "assistant", Text: "Here:\n\"1 High St\"", Time: "12:31"},
	))
	must(t, profile.Chat().Append()) // nothing said, nothing written
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
	if got := get(t, profile.path("chat_log.json")); got != want {
		t.Errorf("got %s", got)
	}
}

func TestAppendKeepsEveryByteOfTheLog(t *testing.T) {
	for name, before := range map[string]string{
		"python":      get(t, "testdata/python/.config/marvin/profiles/main/chat_log.json"),
		"typescript":  get(t, "testdata/typescript/.config/marvin/profiles/main/chat_log.json"),
		"extra keys":  "[\n  {\"role\": \"you\", \"text\": \"x\", \"mood\": {\"a\": []}}\n]\n",
		"on one line": `[{"role":"you","text":"]","time":"10:00"}]`,
		"long":        longLog(t, 5<<20),
	} {
		profile := Open(t.TempDir(), now).Profile("default")
		path := profile.path("chat_log.json")
		put(t, path, before)
		must(t, profile.Chat().Append(ChatEntry{Role: "you", Text: "one"}))
		must(t, profile.Chat().Append(ChatEntry{Role: "assistant", Text: "two"}))
		after := get(t, path)
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

// longLog is a log of at least size bytes.
func longLog(t *testing.T, size int) string {
	t.Helper()
	entries := make([]ChatEntry, size/1000)
	for i := range entries {
		entries[i] = ChatEntry{Role: "you", Text: strings.Repeat("{\n  {", 200), Time: "10:00"}
	}
	encoded, err := json.MarshalIndent(entries, "", "  ")
	must(t, err)
	return string(encoded)
}

func TestEmptyLogsAreBegun(t *testing.T) {
	for _, before := range []string{"", " \n", "[]", "[\n]\n"} {
		profile := Open(t.TempDir(), now).Profile("default")
		put(t, profile.path("chat_log.json"), before)
		must(t, profile.Chat().Append(ChatEntry{Role: "you", Text: "x"}))
		log, err := profile.Chat().Tail(5)
		if err != nil || len(log) != 1 {
			t.Errorf("%q: %v, %v", before, log, err)
		}
		if none, err := profile.Chat().Tail(-1); err != nil || len(none) != 0 {
			t.Errorf("less than no entries: %v, %v", none, err)
		}
	}
}

// Whatever byte a log is cut at, and whatever part of it became zero bytes, each
// entry that is whole is read, and an append keeps both it and the damaged file.
func TestRow1LogTornAtEveryByte(t *testing.T) {
	whole := get(t, "testdata/python/.config/marvin/profiles/main/chat_log.json")
	entries := strings.Count(whole, `"role"`)
	profile := Open(t.TempDir(), now).Profile("default")
	path := profile.path("chat_log.json")
	for cut := 1; cut < len(whole); cut++ {
		zeroed := []byte(whole)
		copy(zeroed[cut:min(cut+40, len(zeroed))], bytes.Repeat([]byte{0}, 40))
		for _, content := range []string{whole[:cut], string(zeroed)} {
			put(t, path, content)
			complete := strings.Count(content[:min(cut, len(content))], "\n  }") // before the damage
			log, err := profile.Chat().Tail(20)
			if len(log) < complete || len(log) > entries {
				t.Fatalf("cut at %d: %d of %d entries are read", cut, len(log), complete)
			}
			var damaged *DamagedError
			if err != nil && !errors.As(err, &damaged) {
				t.Fatal(err)
			}
		}
	}
	put(t, path, whole[:len(whole)-30])
	var damaged *RenewedError
	if err := profile.Chat().Append(ChatEntry{Role: "you", Text: "go on"}); !errors.As(err, &damaged) {
		t.Fatalf("appending to a torn log says %v", err)
	}
	if got := get(t, damaged.Kept); got != whole[:len(whole)-30] {
		t.Error("the torn log was not kept as it was")
	}
	if !errors.Is(damaged, damaged.Err) {
		t.Error("the damage does not say by what")
	}
	log, err := profile.Chat().Tail(20)
	if err != nil || len(log) != entries || log[entries-1].Text != "go on" || log[0].Text != "Find pizza near me" {
		t.Errorf("the new log has %d entries, %v", len(log), err)
	}
}

func TestTornLongLogIsSetAsideAndGoesOn(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	long := longLog(t, 5<<20)
	put(t, profile.path("chat_log.json"), long[:len(long)-100])
	var damaged *RenewedError
	if err := profile.Chat().Append(ChatEntry{Role: "you", Text: "go on"}); !errors.As(err, &damaged) {
		t.Fatalf("got %v", err)
	}
	log, err := profile.Chat().Tail(1000)
	if err != nil || len(log) != salvageCount+1 {
		t.Errorf("%d entries, %v", len(log), err)
	}
}

// Who is killed while it writes to the end of a long log leaves any part of that, and the rest
// is written by who comes next.
func TestRow2AnAppendThatWasKilledIsEnded(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	path := profile.path("chat_log.json")
	old := longLog(t, rewriteLimit+1)
	put(t, path, old)
	entry := ChatEntry{Role: "you", Text: "killed in the middle", Time: "10:00"}
	must(t, profile.Chat().Append(entry))
	appended := get(t, path)
	at := strings.LastIndex(old, "}") + 1
	begun := fmt.Sprintf("%d %d\n%s", at, len(appended)-at, appended[at:])
	last := func(want string) {
		t.Helper()
		entries, err := profile.Chat().Tail(1)
		if err != nil || len(entries) != 1 || entries[0].Text != want {
			t.Fatalf("the last entry is %v, %v", entries, err)
		}
	}
	for written := range len(appended) - at + 1 {
		log := appended[:at+written] + old[min(len(old), at+written):]
		put(t, path, log)
		put(t, beside(path, unfinished), begun)
		if written%2 == 0 {
			last(entry.Text)
		}
		must(t, profile.Chat().Append(ChatEntry{Role: "you", Text: "next", Time: "10:01"}))
		if got := get(t, path); !strings.HasPrefix(got, strings.TrimSuffix(appended, "\n]")+",") || !json.Valid([]byte(got)) {
			t.Fatalf("of %d bytes: it ends with %q", written, got[len(got)-200:])
		}
		last("next")
	}
	// What was not written down whole was not begun.
	for cut := range len(begun) {
		put(t, path, old)
		put(t, beside(path, unfinished), begun[:cut])
		_, err := profile.Chat().Tail(1)
		must(t, err)
		if got := get(t, path); got != old {
			t.Fatalf("of %d bytes that stood beside it: it ends with %q", cut, got[len(got)-200:])
		}
	}
	// Another Marvin went on, or a power cut took what stood there.
	for _, log := range []string{old[:at] + ",\n  {}\n]", old[:at-200], old + strings.Repeat(" ", len(begun)), strings.Repeat("x", len(old))} {
		put(t, path, log)
		put(t, beside(path, unfinished), begun)
		_, _ = profile.Chat().Tail(1)
		if got := get(t, path); got != log {
			t.Errorf("what ended with %q ends with %q", log[len(log)-20:], got[len(got)-20:])
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*"+unfinished)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// What cannot be read may be the rest of an entry: it stays, and the error names it.
	must(t, os.Mkdir(beside(path, unfinished), 0o700))
	put(t, path, old)
	if err := profile.Chat().Append(entry); err == nil || !strings.Contains(err.Error(), unfinished) || get(t, path) != old {
		t.Errorf("what cannot be read: %v", err)
	}
	if _, err := os.Lstat(beside(path, unfinished)); err != nil {
		t.Error(err)
	}
}

// A 3 GB log (nearly all of it a hole, here) is read and continued at its end.
func TestRow9HugeLogCostsNothing(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	path := profile.path("chat_log.json")
	end := get(t, "testdata/python/.config/marvin/profiles/main/chat_log.json")[1:]
	put(t, path, "[")
	must(t, os.Truncate(path, 3<<30))
	must(t, appendTo(path, []byte(end)))
	before := readByAll(t)
	must(t, profile.Chat().Append(ChatEntry{Role: "you", Text: "still there?"}))
	log, err := profile.Chat().Tail(3)
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
