package undolog

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func kept(t *testing.T, u *Journal, content []byte) Record {
	t.Helper()
	records := []Record{{Kind: Write, Turn: "t1", Dir: "/p", Name: "a"}}
	if err := u.Add(records, [][]byte{content}); err != nil {
		t.Fatal(err)
	}
	return records[0]
}

func TestSavedFileContentIsPrivate(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	first := kept(t, Of(home, "one"), []byte("before\n"))
	after := Of(home, "one")
	records, err := after.Records()
	if err != nil || len(records) != 1 || records[0].Before != first.Before || records[0].ID != 1 {
		t.Fatalf("%+v, %v", records, err)
	}
	if content, err := after.Content(first.Before); err != nil || string(content) != "before\n" {
		t.Errorf("%q, %v", content, err)
	}
	err = filepath.WalkDir(filepath.Join(home.Data, "undo"), func(path string, entry fs.DirEntry, err error) error {
		if info, infoErr := entry.Info(); err == nil && infoErr == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(home.Data, "undo", "one", "images", first.Before), []byte("another\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := after.Content(first.Before); !errors.Is(err, ErrGone) {
		t.Errorf("a damaged content gives %v", err)
	}
}

func TestALineOfTheJournalThatWasCutOffIsLeftOut(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	kept(t, Of(home, "one"), []byte("1"))
	if err := store.AppendTo(filepath.Join(home.Data, "undo", "one", "journal.jsonl"), []byte(`{"id":2,"kind":"wri`)); err != nil {
		t.Fatal(err)
	}
	kept(t, Of(home, "one"), []byte("2"))
	records, err := Of(home, "one").Records()
	if err != nil || len(records) != 2 || records[1].ID != 2 || records[1].Before != Hash([]byte("2")) {
		t.Errorf("%+v, %v", records, err)
	}
}

func TestTheOldestContentsGoFirst(t *testing.T) {
	for _, id := range []string{"one", ""} { // on the disk and in memory
		u := Of(store.Open(t.TempDir(), storetest.Now), id)
		content := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, maxFile) }
		for i := range 10 {
			kept(t, u, content(i))
		}
		for i := range 10 {
			_, err := u.Content(Hash(content(i)))
			if gone := errors.Is(err, ErrGone); gone != (i < 2) || err != nil && !gone {
				t.Errorf("%q: content %d gives %v", id, i, err)
			}
		}
		large := kept(t, u, make([]byte, maxFile+1))
		if !strings.Contains(large.Lost, "larger than 8 MiB") {
			t.Errorf("of a large file it says %q", large.Lost)
		}
	}
}
