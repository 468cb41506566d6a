package artifacts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// content returns the content of an artifact.
func content(t *testing.T, a *Store, number int) string {
	t.Helper()
	file, _, err := a.Open(number)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func keepWhole(t *testing.T, a *Store, text string) Artifact {
	t.Helper()
	one, err := a.Put(Artifact{Tool: "run_command"}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return one
}

func TestNumbersOfArtifactsContinueAfterAResume(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	first := New(home, "one")
	if one := keepWhole(t, first, "a\nb\n"); one.Number != 1 || one.Lines != 2 || one.Size != 4 || one.Total != 4 {
		t.Errorf("%+v", one)
	}
	if again := keepWhole(t, first, "a\nb\n"); again.Number != 1 {
		t.Errorf("the same content is kept twice: %+v", again)
	}
	torn, err := first.Begin(Artifact{Tool: "run_command"}) // its process dies
	if err != nil {
		t.Fatal(err)
	}
	_, _ = torn.Write([]byte("half"))
	if err := store.AppendTo(filepath.Join(first.dir, "index.jsonl"), []byte("{\"number\": 9, torn")); err != nil {
		t.Fatal(err)
	}

	after := New(home, "one")
	if one := keepWhole(t, after, "c\n"); one.Number != 3 || content(t, after, 1) != "a\nb\n" || content(t, after, 3) != "c\n" {
		t.Errorf("%+v", one)
	}
	later := New(home, "one")
	if list := later.List(); len(list) != 2 || content(t, later, 3) != "c\n" {
		t.Errorf("behind half a line of the index: %+v", list)
	}
	for number, want := range map[int]error{2: ErrGone, 4: ErrNone, 0: ErrNone, -1: ErrNone, 1e9: ErrNone} {
		if _, _, err := after.Open(number); !errors.Is(err, want) {
			t.Errorf("%d: %v, want %v", number, err, want)
		}
	}
	if _, _, err := New(home, "other").Open(1); !errors.Is(err, ErrNone) {
		t.Errorf("one of another conversation: %v", err)
	}
	err = filepath.WalkDir(first.dir, func(path string, entry fs.DirEntry, err error) error {
		if info, infoErr := entry.Info(); err == nil && infoErr == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(first.dir); err != nil {
		t.Fatal(err)
	}
	if _, _, err := after.Open(1); !errors.Is(err, ErrGone) {
		t.Errorf("of a folder that is gone: %v", err)
	}
	if one := keepWhole(t, after, "d\n"); content(t, after, one.Number) != "d\n" {
		t.Errorf("nothing is kept where the folder was removed: %+v", one)
	}
}

func TestArtifactsAreBounded(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	artifacts := New(home, "one")
	piece := bytes.Repeat([]byte("0123456789012345678901234567890123456789012345678901234567890\n"), 1<<14)
	var last Artifact
	for range 6 {
		w, err := artifacts.Begin(Artifact{Tool: "run_command"})
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + MaxSize/len(piece) {
			_, _ = w.Write(piece)
		}
		_, _ = w.Write(piece)
		if last, err = w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if last.Size > MaxSize || last.Size < MaxSize-100 || last.Total <= MaxSize || last.Lines*62 != last.Size {
		t.Errorf("%+v", last)
	}
	var size int64
	for _, one := range artifacts.List() {
		size += one.Size
	}
	entries, err := os.ReadDir(artifacts.dir)
	if err != nil || size > maxTotal || len(entries) != len(artifacts.List())+1 {
		t.Errorf("%d bytes in %d files, %v", size, len(entries), err)
	}
	if _, _, err := artifacts.Open(1); !errors.Is(err, ErrGone) {
		t.Errorf("the oldest: %v", err)
	}
}

func TestArtifactsOfAConversationThatIsNotKeptGoWithIt(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	artifacts := New(home, "")
	if artifacts.dir != "" || artifacts.Temporary() {
		t.Error("something is made before it is needed")
	}
	keepWhole(t, artifacts, "a\n")
	// A killed process leaves a directory with a lock that nobody holds.
	killed := filepath.Join(filepath.Dir(artifacts.dir), unkeptArtifacts+"1")
	for _, path := range []string{killed, killed + "/1.txt", killed + ".lock"} {
		var err error
		if strings.Contains(filepath.Base(path), ".") {
			err = os.WriteFile(path, nil, 0o600)
		} else {
			err = os.Mkdir(path, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	other := New(home, "")
	keepWhole(t, other, "b\n")
	if _, err := os.Stat(killed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed process left stays: %v", err)
	}
	if content(t, artifacts, 1) != "a\n" {
		t.Error("those of a process that is alive were removed")
	}
	for _, one := range []*Store{artifacts, other} {
		if err := one.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(killed)); err != nil || len(left) != 0 {
		t.Errorf("%v left, %v", left, err)
	}
	if _, err := artifacts.Begin(Artifact{}); err == nil {
		t.Error("something is kept behind the end")
	}
}

func TestArtifactsBegunAtOnceHaveTheirOwnNumbers(t *testing.T) {
	artifacts := New(store.Open(t.TempDir(), storetest.Now), "one")
	done := make(chan Artifact)
	for i := range 16 {
		go func() {
			one, _ := artifacts.Put(Artifact{}, fmt.Appendf(nil, "%d\n", i))
			done <- one
		}()
	}
	numbers := map[int]bool{}
	for range 16 {
		numbers[(<-done).Number] = true
	}
	if len(numbers) != 16 || numbers[0] {
		t.Errorf("%v", numbers)
	}
}

func TestOutputThatIsTakenAwayIsReported(t *testing.T) {
	home := store.Open(t.TempDir(), storetest.Now)
	all := New(home, "one")
	begin := func() *Writer {
		t.Helper()
		writer, err := all.Begin(Artifact{Tool: "t"})
		storetest.Must(t, err)
		_, err = writer.Write([]byte("a\nb"))
		storetest.Must(t, err)
		return writer
	}
	writer := begin()
	storetest.Must(t, os.Remove(writer.file.Name()))
	if one, err := writer.CloseAs("image/png"); err == nil || one.Number != 0 {
		t.Errorf("what is gone is kept: %+v, %v", one, err)
	}
	writer = begin()
	storetest.Must(t, os.Mkdir(all.path(Artifact{Number: writer.about.Number, Media: "image/png"}), 0o700))
	if one, err := writer.CloseAs("image/png"); err == nil || !strings.HasPrefix(err.Error(), "store the output: ") || one.Number != 0 {
		t.Errorf("over a directory: %+v, %v", one, err)
	}
	if _, err := os.Stat(writer.file.Name()); err == nil {
		t.Error("what could not be kept is left behind")
	}
	first, err := begin().CloseAs("image/png")
	storetest.Must(t, err)
	again, err := begin().CloseAs("image/png")
	if err != nil || again.Number != first.Number || first.Media != "image/png" || first.Lines != 0 {
		t.Errorf("the same once more: %+v, %v", again, err)
	}
	text, err := begin().Close()
	if err != nil || text.Lines != 2 || text.Size != 3 {
		t.Errorf("a text whose last line is open: %+v, %v", text, err)
	}
	writer, err = all.Begin(Artifact{Tool: "t"})
	storetest.Must(t, err)
	if one, err := writer.Close(); err != nil || one.Number != 0 {
		t.Errorf("of nothing there is %+v, %v", one, err)
	}
	if _, err := os.Stat(writer.file.Name()); err == nil {
		t.Error("an empty output is left behind")
	}
}
