package artifacts

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// Binary content is stored once, whether it is written at once or in pieces. Its file name shows
// its type, also after a resume.
func TestBinaryContentIsStoredOnce(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	artifacts := New(home, "one")
	picture := bytes.Repeat([]byte("\x89PNG\r\n\x1a\n\x00\x01\x02"), 1000)
	first, err := artifacts.Put(Artifact{Tool: "read_file", Media: "image/png"}, picture)
	if err != nil || first.Number != 1 || first.Lines != 0 || first.Size != int64(len(picture)) || filepath.Base(artifacts.Place(1)) != "1.png" {
		t.Errorf("%+v, %v, %s", first, err, artifacts.Place(1))
	}
	stream := func(content []byte, media string) Artifact {
		t.Helper()
		w, err := artifacts.Begin(Artifact{Tool: "run_command"})
		if err != nil {
			t.Fatal(err)
		}
		for part := range bytes.SplitAfterSeq(content, []byte("\n")) {
			_, _ = w.Write(part)
		}
		one, err := w.CloseAs(media)
		if err != nil {
			t.Fatal(err)
		}
		return one
	}
	if again := stream(picture, "image/png"); again.Number != 1 {
		t.Errorf("the same picture is kept twice: %+v", again)
	}
	if other := stream(picture[1:], "application/octet-stream"); other.Number != 3 || other.Lines != 0 || content(t, artifacts, 3) != string(picture[1:]) {
		t.Errorf("%+v", other)
	}
	if foreign, err := artifacts.Put(Artifact{Media: "image/png", Foreign: true}, picture); err != nil || foreign.Number != 4 {
		t.Errorf("what strangers sent is taken for our own: %+v, %v", foreign, err)
	}
	after := New(home, "one")
	if content(t, after, 1) != string(picture) || len(after.List()) != 3 {
		t.Errorf("after a resume: %+v", after.List())
	}
	if again, err := after.Put(Artifact{Media: "image/png"}, picture); err != nil || again.Number != 1 {
		t.Errorf("kept again after a resume: %+v, %v", again, err)
	}
	entries, err := os.ReadDir(artifacts.Dir())
	if err != nil || len(entries) != 4 { // 1.png, 3.bin, 4.png and the index
		t.Errorf("%v, %v", entries, err)
	}
	if one := keepWhole(t, after, "text\n"); one.Number != 5 {
		t.Errorf("a number is given again: %+v", one)
	}
}
