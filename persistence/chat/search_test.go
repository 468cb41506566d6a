package chat

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func has(word string) func(string) bool {
	return func(text string) bool { return strings.Contains(text, word) }
}

// found returns the hits of a search, one per line.
func found(t *testing.T, profile store.Profile, dir, word string, limit int) string {
	t.Helper()
	hits, cut, err := SearchBackups(profile, dir, limit, has(word))
	if err != nil || cut {
		t.Errorf("cut %v, %v", cut, err)
	}
	var out strings.Builder
	for _, hit := range hits {
		fmt.Fprintf(&out, "%s %s %s %s\n", hit.Saved.UTC().Format("01-02 15:04"), hit.Time, hit.Role, hit.Text)
	}
	return out.String()
}

// The search finds backups of the log (Python), backups of conversations with seconds (Python) or
// milliseconds (TypeScript) in their names, and this Marvin's own backups, both in the profile and
// in the project.
func TestBackupsOfAllKindsAreSearchedNewestFirst(t *testing.T) {
	profile, project := store.Open(t.TempDir(), storetest.Now).Profile("default"), t.TempDir()
	storetest.Put(t, profile.Path("chat_log.json.backup.20260101_080000"), `[
  {"role": "you", "text": "pizza one", "time": "07:01"},
  {"role": "you", "text": "soup", "time": "07:02"},
  {"role": "assistant", "text": "pizza two", "time": "07:02"}
]`)
	storetest.Put(t, profile.Path("chat_log.json.backup.20260102_080000-2"), `[{"role": "assistant", "text": "pizza two", "time": "07:02"}]`)
	storetest.Put(t, profile.Path("logs/context-backup-1767427200000.jsonl"), // 3 January, 08:00
		`{"role":"user","content":[{"type":"text","text":"pizza in parts"}]}`+"\nnot JSON\n"+`{"role":"assistant","content":null}`+"\n")
	storetest.Put(t, filepath.Join(project, store.LogsDir, "context-backup-1767513600.jsonl"), // 4 January, 08:00
		`{"index":0,"role":"user","content":"pizza four"}`+"\n"+`{"index":1,"role":"tool","content":"pizza five","name":"x"}`+"\n")
	storetest.Put(t, profile.Path("logs/notes.jsonl"), `{"role":"user","content":"pizza of another file"}`)
	_, err := BackupContext(profile, project, []ContextMessage{{Role: "user", Content: "pizza today"}})
	storetest.Must(t, err)
	all := "02-14 12:30  user pizza today\n" +
		"01-04 08:00  tool pizza five\n01-04 08:00  user pizza four\n" +
		"01-03 08:00  user [{\"text\":\"pizza in parts\",\"type\":\"text\"}]\n" +
		"01-02 08:00 07:02 assistant pizza two\n01-01 08:00 07:01 you pizza one\n"
	if got := found(t, profile, project, "pizza", 50); got != all {
		t.Errorf("got\n%s", got)
	}
	if got := found(t, profile, project, "pizza", 2); got != strings.Join(strings.SplitAfter(all, "\n")[:2], "") {
		t.Errorf("two: %s", got)
	}
	if got := found(t, profile, "", "four", 50); got != "" {
		t.Errorf("without the project: %s", got)
	}
	if got := found(t, store.Open("", storetest.Now).Profile("x"), "", "pizza", 50); got != "" {
		t.Errorf("without a home: %s", got)
	}
}

// Each later backup of a log or conversation repeats the earlier messages and adds more.
func TestAMessageIsFoundOnce(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	long := "pizza " + strings.Repeat("and more ", 60)
	whole := `{"role": "you", "text": "` + long + `", "time": "07:03"}`
	storetest.Put(t, profile.Path("chat_log.json.backup.20260101_080000"), `[{"role": "you", "text": "pizza?", "time": "07:01"}, {"role": "assistant", "text": "pizza!", "time": "07:01"}, `+whole+`]`)
	storetest.Put(t, profile.Path("chat_log.json.backup.20260102_080000"), `[{"role": "you", "text": "pizza?", "time": "07:01"}, {"role": "assistant", "text": "pizza!", "time": "07:01"},
		{"role": "you", "text": "`+long[:200]+`...", "time": "07:03"}, {"role": "you", "text": "pizza?", "time": "09:30"}]`)
	storetest.Put(t, profile.Path("logs/context-backup-1767427200000.jsonl"), `{"role":"user","content":"pizza?"}`+"\n"+`{"role":"assistant","content":"pizza!"}`+"\n")
	got := found(t, profile, "", "pizza", 50)
	if strings.Count(got, "pizza?") != 2 || strings.Count(got, "pizza!") != 1 || strings.Count(got, "pizza and more") != 1 || strings.Count(got, "\n") != 4 {
		t.Errorf("got\n%s", got)
	}
	if hits, _, err := SearchBackups(profile, "", 9, func(text string) bool { return strings.HasSuffix(text, "more ") }); err != nil || len(hits) != 1 {
		t.Errorf("what only the whole one has: %d, %v", len(hits), err)
	}
}

// A project may come from anywhere, so a link in it must not reveal a file of the user.
func TestNoLinkLeadsOutOfTheProject(t *testing.T) {
	profile, project, secret := store.Open(t.TempDir(), storetest.Now).Profile("default"), t.TempDir(), filepath.Join(t.TempDir(), "x")
	storetest.Put(t, secret, `{"role":"user","content":"secret"}`)
	storetest.Put(t, filepath.Join(project, store.LogsDir, "context-backup-1.jsonl"), `{"role":"user","content":"secret of the project"}`)
	storetest.Must(t, os.Symlink(secret, filepath.Join(project, store.LogsDir, "context-backup-2.jsonl")))
	hits, _, err := SearchBackups(profile, project, 9, has("secret"))
	if len(hits) != 1 || hits[0].Text != "secret of the project" || err == nil || !strings.Contains(err.Error(), "context-backup-2") {
		t.Errorf("%+v, %v", hits, err)
	}
}

// A backup of 60 MB is read from its end, and the search reports that it did not read all of it.
func TestALongBackupIsReadFromItsEnd(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("default")
	path := profile.Path("chat_log.json.backup.20260101_080000")
	storetest.Put(t, path, "")
	file, err := os.OpenFile(path, os.O_WRONLY, 0o600)
	storetest.Must(t, err)
	for at, text := range map[int64]string{0: "[\n  {\"role\": \"you\", \"text\": \"old\"},", 60 << 20: ",\n  {\"role\": \"you\", \"text\": \"new\"}\n]"} {
		_, err := file.WriteAt([]byte(text), at)
		storetest.Must(t, err)
	}
	storetest.Must(t, file.Close())
	before := readByAll(t)
	hits, cut, err := SearchBackups(profile, "", 9, has(""))
	if err != nil || !cut || len(hits) != 1 || hits[0].Text != "new" {
		t.Errorf("%d hits, cut %v, %v", len(hits), cut, err)
	}
	if read := readByAll(t) - before; read > 32<<20 {
		t.Errorf("%d bytes were read", read)
	}
}

// readByAll returns the number of bytes that this process has read so far, or 0 if the system does
// not tell.
func readByAll(t *testing.T) (bytes int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscanf(string(text), "rchar: %d", &bytes); err != nil {
		t.Fatal(err)
	}
	return bytes
}
