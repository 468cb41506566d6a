package actors_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/internal/sessionlog"
	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/persistence/sessions"
)

func TestLogsOfOthersBecomeConversations(t *testing.T) {
	var out strings.Builder
	for _, pattern := range []string{"testdata/imports/*.jsonl", "internal/foreign/testdata/*.jsonl"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			fmt.Fprintf(&out, "=== %s\n%s", filepath.Base(path), imported(t, path))
		}
	}
	goldentest.Assert(t, "imported.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// imported returns the conversation that a log becomes, as lines.
func imported(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	home := persistence.Open(t.TempDir(), func() time.Time { return time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC) })
	text := strings.ReplaceAll(string(content), "LONG", strings.Repeat("long ", 2000))
	hide := func(text string) string { return strings.ReplaceAll(text, "kettle", "k…e") }
	made, err := actors.Import(home, strings.NewReader(text), nil, hide)
	if err != nil {
		t.Fatal(err)
	}
	id := made.Info.ID
	made.Info.ID = ""
	_, err = actors.Import(home, strings.NewReader(text), []sessions.Info{{}, {Header: sessions.Header{ID: "known", Imported: made.Info.Imported}}}, hide)
	if once := (*actors.ImportedError)(nil); !errors.As(err, &once) || once.Error() != "it was imported before, as known" {
		t.Errorf("%s, once more: %v", path, err)
	}
	read, err := sessionlog.Read(sessions.New(home), id, lastOf(t, sessions.New(home), id))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	add := func(kind string, value any) {
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %s\n", kind, strings.ReplaceAll(string(encoded), strings.Repeat("long ", 100), "(long)"))
	}
	add("info", made)
	for _, turn := range read.Turns {
		add("turn", turn)
	}
	for _, message := range read.Messages {
		add("message", message)
	}
	return out.String()
}

func TestImportErrors(t *testing.T) {
	hide := func(text string) string { return text }
	home := persistence.Open(t.TempDir(), time.Now)
	for text, want := range map[string]error{
		"hello":                                 actors.ErrUnknownLog,
		`{"type":"session","id":"a","cwd":"/"}`: actors.ErrEmptyLog,
	} {
		if _, err := actors.Import(home, strings.NewReader(text), nil, hide); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := os.MkdirAll(home.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(sessions.New(home).Dir(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	log := `{"type":"session","id":"a","cwd":"/"}` + "\n" + `{"type":"message","id":"x","message":{"role":"user","content":"hi"}}`
	if made, err := actors.Import(home, strings.NewReader(log), nil, hide); err == nil || !strings.HasPrefix(err.Error(), "import: ") || made.Info.ID != "" {
		t.Errorf("into a home that is full: %+v, %v", made, err)
	}
}
