package edit_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
)

// keeper records the announced changes and their outcome.
type keeper struct{ told []string }

func (k *keeper) Keep(changes []tools.FileChange) func() {
	for _, one := range changes {
		k.told = append(k.told, fmt.Sprintf("%s %s %q %q %o %o %v", one.Name, filepath.Base(one.Path), one.Before, one.After, one.BeforeMode, one.AfterMode, one.Made))
	}
	if len(changes) == 0 {
		k.told = append(k.told, "nothing")
	}
	return func() { k.told = append(k.told, "failed") }
}

func TestChangedFileIsSavedForUndo(t *testing.T) {
	env, dir := fixture(t)
	kept := &keeper{}
	env.Undo = kept
	batch := edit.Begin(env, dir)
	if err := errors.Join(batch.Write("a.txt", []byte("mine\n")), batch.Create("new/b.txt", []byte("b\n"))); err != nil {
		t.Fatal(err)
	}
	if changes, err := edit.Commit(t.Context(), env, batch); err != nil || len(changes) != 2 {
		t.Fatalf("%+v, %v", changes, err)
	}
	if want := []string{`a.txt a.txt "one\ntwo\n" "mine\n" 644 644 []`, `new/b.txt b.txt "" "b\n" 0 0 [new]`}; !slices.Equal(kept.told, want) {
		t.Errorf("%q, want %q", kept.told, want)
	}
	if got := env.Seen.Changed(); !slices.Equal(got, []string{dir.Abs("a.txt"), dir.Abs("new/b.txt")}) {
		t.Errorf("changed are %q", got)
	}
	kept.told = nil
	if changes, err := edit.Write(t.Context(), env, edit.Begin(env, dir)); err != nil || len(changes) != 0 || kept.told != nil {
		t.Errorf("nothing was changed: %+v, %v, kept %q", changes, err, kept.told)
	}
	batch = edit.Begin(env, dir)
	if err := batch.Write("a.txt", []byte("again\n")); err != nil {
		t.Fatal(err)
	}
	write(t, env, "a.txt", "theirs\n")
	if changes, err := edit.Write(t.Context(), env, batch); !errors.Is(err, box.ErrChanged) || changes != nil || len(kept.told) != 2 || kept.told[1] != "failed" {
		t.Errorf("%+v, %v, kept %q", changes, err, kept.told)
	}
}

func TestForeignChangesAreMerged(t *testing.T) {
	env, dir := fixture(t)
	batch, stale := edit.BeginMerge(env, dir)
	if _, err := batch.Read("a.txt"); err != nil || len(*stale) != 0 {
		t.Errorf("what was read is stale: %q, %v", *stale, err)
	}
	write(t, env, "a.txt", "theirs\n")
	batch, stale = edit.BeginMerge(env, dir)
	if content, err := batch.Read("a.txt"); err != nil || string(content) != "theirs\n" || !slices.Equal(*stale, []string{dir.Abs("a.txt")}) {
		t.Errorf("%q, %v, stale %q", content, err, *stale)
	}
	if err := batch.Write("a.txt", []byte("both\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := edit.Commit(t.Context(), env, batch); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(dir.Abs("a.txt")); err != nil || string(content) != "both\n" {
		t.Errorf("%q, %v", content, err)
	}
	if !env.Seen.Stale(dir.Abs("a.txt"), []byte("both\n")) {
		t.Error("what was merged passes for read")
	}
}

// A moved file is one change, with the diff of its content.
func TestMoveIsShownAsOneChange(t *testing.T) {
	text := []byte("a\nb\nc\nd\n")
	for _, row := range []struct {
		what    string
		changes []box.Change
		want    string
	}{
		{"as it was", []box.Change{{Name: "old", Before: text}, {Name: "new", After: text}}, "--- a/old\n+++ b/new\n"},
		{"and changed", []box.Change{{Name: "old", Before: text}, {Name: "new", After: []byte("a\nb\nc\ne\n")}}, "--- a/old\n+++ b/new\n@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+e\n"},
		{"another", []box.Change{{Name: "old", Before: text}, {Name: "new", After: []byte("x\ny\nz\n")}}, "--- a/old\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-a\n-b\n-c\n-d\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,3 @@\n+x\n+y\n+z\n"},
		{"two of the same", []box.Change{{Name: "new1", After: text}, {Name: "old", Before: text}, {Name: "new2", After: text}}, "--- a/old\n+++ b/new1\n--- /dev/null\n+++ b/new2\n@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+d\n"},
		{"an empty one", []box.Change{{Name: "old", Before: []byte{}}, {Name: "new", After: []byte{}}}, ""},
		{"edited ones", []box.Change{{Name: "a", Before: text, After: []byte("a\n")}, {Name: "b", After: text}}, "--- a/a\n+++ b/a\n@@ -1,4 +1,1 @@\n a\n-b\n-c\n-d\n--- /dev/null\n+++ b/b\n@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+d\n"},
	} {
		if got := edit.Diffs(row.changes); got != row.want {
			t.Errorf("%s:\n%s\nwant\n%s", row.what, got, row.want)
		}
	}
}
