package history

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/tools"
)

// archive calls the tools like a model.
type archive struct {
	t       *testing.T
	profile persistence.Profile
	tools   map[string]tools.Tool
	env     tools.Env
}

func newArchive(t *testing.T) archive {
	now := func() time.Time { return time.Date(2026, 2, 14, 12, 30, 15, 0, time.UTC) }
	home := persistence.Open(t.TempDir(), now)
	a := archive{t: t, profile: home.Profile("default"), tools: map[string]tools.Tool{}}
	a.env = tools.Env{Profile: a.profile.Dir, Dir: t.TempDir(), Now: now}
	for _, tool := range New(home).Tools() {
		a.tools[tool.Name] = tool
	}
	return a
}

func (a archive) expect(name, args, want string) {
	a.t.Helper()
	call, err := a.tools[name].Decode(json.RawMessage(args))
	var output tools.Output
	if err == nil {
		output, err = call.Run(a.t.Context(), a.env)
	}
	got := output.Text
	if err != nil {
		got = err.Error()
	}
	if got != want && !(strings.HasSuffix(want, "…") && strings.HasPrefix(got, strings.TrimSuffix(want, "…"))) {
		a.t.Errorf("%s %s:\n%s\nwant\n%s", name, args, got, want)
	}
}

func (a archive) say(text string, times int) {
	a.t.Helper()
	var entries []chat.Entry
	for i := range times {
		entries = append(entries, chat.Entry{Role: "you", Text: fmt.Sprintf(text, i)})
	}
	if err := chat.New(a.profile).Append(entries...); err != nil {
		a.t.Fatal(err)
	}
}

func TestCompactedHistoryIsFound(t *testing.T) {
	a := newArchive(t)
	a.expect("compact_history", `{}`, "The chat log is empty.")
	a.say("the Pizza number %d from Luigi's", 1)
	a.say(strings.Repeat("wordy ", 100)+"%d", 60) // 600 characters each, 150 tokens
	a.expect("compact_history", `{"target_tokens": 20000}`, "The chat log is already within budget: 61 entries, about …")
	a.expect("search_history_backups", `{"query": "pizza"}`, `No backup contains "pizza". Marvin makes…`)
	backup := filepath.Join(a.profile.Dir, "chat_log.json.backup.20260214_123015")
	a.expect("compact_history", `{"target_tokens": "3,500"}`, `target_tokens must be a whole number, and not "3,500"…`)
	a.expect("compact_history", `{"target_tokens": 3500}`, "Compacted the chat log: 61 entries, about 9068 tokens → 29 entries, about 3479 tokens.\nBackup: "+backup)
	a.expect("search_history_backups", `{"query": "LUIGI'S pizza"}`, "[2026-02-14 12:30 12:30] you: the Pizza number 0 from Luigi's")
	a.expect("search_history_backups", `{"query": " "}`, "the query is empty\nGive a word from the message.")
	log, err := chat.New(a.profile).Tail(100)
	if err != nil || len(log) != 29 || !strings.HasSuffix(log[28].Text, "wordy 59") || !strings.HasSuffix(log[0].Text, "...") {
		t.Errorf("%d entries are left, %v", len(log), err)
	}
}

func TestOnlyTheSurroundingsOfAHitAreShown(t *testing.T) {
	a := newArchive(t)
	long := strings.Repeat("é", 250) + " the needle\n in it " + strings.Repeat("z", 250)
	if _, err := chat.BackupContext(a.profile, a.env.Dir, []chat.ContextMessage{{Role: "assistant", Content: long}}); err != nil {
		t.Fatal(err)
	}
	a.expect("search_history_backups", `{"query": "NEEDLE", "max_results": 1}`,
		"[2026-02-14 12:30] assistant: …"+strings.Repeat("é", 95)+" the needle in it "+strings.Repeat("z", 92)+"…")
}

func TestADamagedLogIsLeftToItsNextEntry(t *testing.T) {
	a := newArchive(t)
	path := filepath.Join(a.profile.Dir, "chat_log.json")
	if err := os.MkdirAll(a.profile.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`[{"role": "you", "te`), 0o600); err != nil {
		t.Fatal(err)
	}
	a.expect("compact_history", `{}`, path+" is damaged: unexpected EOF\nNothing was changed. The next entry begins a new log…")
}
