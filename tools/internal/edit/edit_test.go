package edit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/toolstest"
)

// fixture returns a project in which the conversation has read a.txt.
func fixture(t *testing.T) (env tools.Env, dir *box.Dir) {
	t.Helper()
	env = toolstest.Env(t)
	env.Dir = t.TempDir()
	write(t, env, "a.txt", "one\ntwo\n")
	dir, err := box.Open(env.Dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	env.Seen.Record(dir.Abs("a.txt"), []byte("one\ntwo\n"))
	return env, dir
}

func write(t *testing.T, env tools.Env, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(env.Dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestForeignlyWrittenFileIsRefused(t *testing.T) {
	env, dir := fixture(t)
	write(t, env, "a.txt", "theirs\n")
	_, err := edit.Begin(env, dir).Read("a.txt")
	if !errors.Is(err, box.ErrChanged) || !strings.Contains(err.Error(), "Read it again") {
		t.Errorf("changed: %v", err)
	}
	env.Seen.Record(dir.Abs("a.txt"), []byte("theirs\n")) // it was read again
	if content, err := edit.Begin(env, dir).Read("a.txt"); err != nil || string(content) != "theirs\n" {
		t.Errorf("read again: %q, %v", content, err)
	}
	write(t, env, "b.txt", "never read\n")
	if _, err := edit.Begin(env, dir).Read("b.txt"); err != nil {
		t.Errorf("never read: %v", err)
	}
}

func TestWrittenVersionIsKnown(t *testing.T) {
	env, dir := fixture(t)
	write(t, env, "gone.txt", "old\n")
	env.Seen.Record(dir.Abs("gone.txt"), []byte("old\n"))
	write(t, env, "unread.txt", "from before\n")
	env.Seen.Record(dir.Abs("unread.txt"), []byte("an older state\n"))
	batch := dir.Batch() // without Begin, as in a tool that only appends
	if _, err := batch.Read("unread.txt"); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		batch.Write("a.txt", []byte("one\n2\n")), batch.Create("new.txt", []byte("new\n")), batch.Remove("gone.txt"),
		batch.Write("unread.txt", []byte("from before\nand more\n")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	changes, err := edit.Commit(t.Context(), env, batch)
	if err != nil || len(changes) != 4 {
		t.Fatalf("%+v, %v", changes, err)
	}
	for name, stale := range map[string][2]bool{ // with its present content, and with another one
		"a.txt": {false, true}, "new.txt": {false, true}, "gone.txt": {false, false}, "unread.txt": {true, true},
	} {
		content, _ := os.ReadFile(filepath.Join(env.Dir, name))
		if got := [2]bool{env.Seen.Stale(dir.Abs(name), content), env.Seen.Stale(dir.Abs(name), []byte("another"))}; got != stale {
			t.Errorf("%s is stale: %v, want %v", name, got, stale)
		}
	}
}

func TestACommitThatFailsChangesNothingThatIsKnown(t *testing.T) {
	env, dir := fixture(t)
	batch := edit.Begin(env, dir)
	if err := batch.Write("a.txt", []byte("mine\n")); err != nil {
		t.Fatal(err)
	}
	write(t, env, "a.txt", "theirs\n") // between the preparation and the commit
	if changes, err := edit.Commit(t.Context(), env, batch); !errors.Is(err, box.ErrChanged) || changes != nil {
		t.Errorf("%+v, %v", changes, err)
	}
	if env.Seen.Stale(dir.Abs("a.txt"), []byte("one\ntwo\n")) || !env.Seen.Stale(dir.Abs("a.txt"), []byte("mine\n")) {
		t.Error("what was not written passes for known")
	}
}

func TestALostRaceIsRunAgain(t *testing.T) {
	gone, stop := context.WithCancel(t.Context())
	stop()
	other := errors.New("no room")
	for _, one := range []struct {
		name  string
		ctx   context.Context
		lost  int // how often the race is lost
		then  error
		tries int
		want  error
	}{
		{"won at once", t.Context(), 0, nil, 1, nil},
		{"lost three times", t.Context(), 3, nil, 4, nil},
		{"another error", t.Context(), 2, other, 3, other},
		{"always lost", t.Context(), 1000, nil, 21, box.ErrChanged},
		{"nobody waits any more", gone, 1000, nil, 1, box.ErrChanged},
	} {
		tries := 0
		err := edit.Retry(one.ctx, func() error {
			if tries++; tries <= one.lost {
				return tools.Advise(box.ErrChanged, "again")
			}
			return one.then
		})
		if !errors.Is(err, one.want) || tries != one.tries {
			t.Errorf("%s: %v after %d tries", one.name, err, tries)
		}
	}
}

func TestBinaryFileIsNotEdited(t *testing.T) {
	for content, want := range map[string]string{"": "", "plain\n": "", "grün\r\n": "", "a\x00b": "a.bin is ", "\xff\xfeh\x00i\x00": "UTF-16", "%PDF-1.7\n": "pdf"} {
		err := edit.CheckText("a.bin", []byte(content))
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "iconv")) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestChangesAreShownAsADiffWithItsSize(t *testing.T) {
	for _, one := range []struct {
		name           string
		before, after  []byte
		want           string
		added, removed int
	}{
		{"edited", []byte("a\nb\nc\n"), []byte("a\nB\nc\n"), "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", 1, 1},
		{"made", nil, []byte("a\nb\n"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n", 2, 0},
		{"removed", []byte("a\n"), nil, "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n", 0, 1},
		{"lines like a head", []byte("-- x\n"), []byte("++ x\n"), "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n--- x\n+++ x\n", 1, 1},
		{"other line ends", []byte("a\r\nb\r\n"), []byte("a\nb\n"), "", 0, 0},
		{"with its line ends", []byte("a\r\nb\r\n"), []byte("a\r\nc\r\n"), "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", 1, 1},
	} {
		change := box.Change{Name: "f", Before: one.before, After: one.after}
		if got := edit.Diff(change); got != one.want {
			t.Errorf("%s:\n%s", one.name, got)
		}
		if added, removed := edit.Size(change); added != one.added || removed != one.removed {
			t.Errorf("%s: +%d -%d", one.name, added, removed)
		}
	}
}

func TestUsersSeeAllChangesWithinTheLimits(t *testing.T) {
	view := edit.View([]box.Change{
		{Name: "f", After: []byte("a \x1b[31mred\u202e line\n")},
		{Name: "g", After: []byte(strings.Repeat("many lines\n", 50_000))},
	})
	if view.Kind != messages.Diff || !strings.Contains(view.Text, "+++ b/f") || !strings.Contains(view.Text, "+++ b/g") {
		t.Errorf("%s: %.200s", view.Kind, view.Text)
	}
	if strings.ContainsAny(view.Text, "\x1b\u202e") || len(view.Text) > tools.ResultLimits.Bytes+200 {
		t.Errorf("%d bytes: %.200q", len(view.Text), view.Text)
	}
}
