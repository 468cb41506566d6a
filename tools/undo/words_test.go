package undo

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/internal/box"
)

func change(before, after string) box.Change {
	one := box.Change{Name: "f", Path: "/p/f"}
	if before != "-" {
		one.Before = []byte(before)
	}
	if after != "-" {
		one.After = []byte(after)
	}
	return one
}

func TestAPlanInWords(t *testing.T) {
	back := undolog.Reversal{Tool: "delete_note", Args: json.RawMessage(`{"name":"a"}`)}
	lasts := []string{"set x: a message that was sent cannot be recalled"}
	for _, one := range []struct {
		name                  string
		plan                  Plan
		title, detail, report string
		empty                 bool
		changed, called       string
	}{
		{
			"a file",
			Plan{Turn: "t1", Files: []File{{Path: "/p/a", change: change("a\nb\n", "a\nc\nd\n")}}},
			"Undo 1 file change in turn t1?", "/p/a: will change, +2 -1", "Undone: 1 file change in turn t1.", false, "/p/a", "",
		},
		{
			"three of each kind",
			Plan{Turn: "t1", Redo: true, Others: lasts, Files: []File{{Path: "/p/a", change: change("-", "x")}, {Path: "/p/b", change: change("x", "-")}, {Path: "/p/c", Was: true}}},
			"Redo 2 file changes in turn t1?", "/p/a: will be restored\n/p/b: will be deleted\n/p/c: is already as it was before\nNot undone:\n  " + lasts[0],
			"Redone: 3 file changes in turn t1.\nNot undone:\n  " + lasts[0], false, "/p/a /p/b", "",
		},
		{
			"what stays",
			Plan{Turn: "t1", Others: lasts, Files: []File{{Path: "/p/a\x1b", Refused: "it was changed since"}}},
			"Undo 0 file changes in turn t1?", "/p/a‹U+001B›: stays as it is: it was changed since\nNot undone:\n  " + lasts[0],
			"Undone: nothing in turn t1; 1 file stays as it is:\n  /p/a‹U+001B›: it was changed since\nNot undone:\n  " + lasts[0], true, "", "",
		},
		{
			"what failed",
			Plan{Turn: "t1", Files: []File{{Path: "/p/a", change: change("x", "y")}, {Path: "/p/b", change: change("x", "y"), failed: "no room"}, {Path: "/p/c", Refused: "no"}}},
			"Undo 2 file changes in turn t1?", "/p/a: will change, +1 -1\n/p/b: will change, +1 -1\n/p/c: stays as it is: no",
			"Undone: 1 file change in turn t1; 2 files stay as they are:\n  /p/b: no room\n  /p/c: no", false, "/p/a", "",
		},
		{
			"calls",
			Plan{Turn: "t2", Calls: []*Call{{Title: "write_note a", Back: back, done: true}, {Title: "set_alarm", Back: undolog.Reversal{Tool: tools.PutBackName}}, {Title: "tk", Refused: "the program tk made the change; use tk to reverse it"}, {Title: "x", Back: back, failed: "it is gone"}}},
			"Undo 3 calls in turn t2?", "write_note a: by delete_note (name: a)\nset_alarm: its change will be reverted\ntk: stays as it is: the program tk made the change; use tk to reverse it\nx: by delete_note (name: a)",
			"Undone: 1 call in turn t2; 3 calls stay as they are:\n  set_alarm: it was not attempted\n  tk: the program tk made the change; use tk to reverse it\n  x: it is gone", false, "", "write_note a",
		},
		{
			"both",
			Plan{Turn: "t2", Files: []File{{Path: "/p/a", change: change("", "x\n")}}, Calls: []*Call{{Title: "a", Back: back, done: true}}},
			"Undo 1 file change and 1 call in turn t2?", "/p/a: will change, +1 -0\na: by delete_note (name: a)", "Undone: 1 file change and 1 call in turn t2.", false, "/p/a", "a",
		},
		{
			"only calls that stay",
			Plan{Turn: "t2", Calls: []*Call{{Title: "tk", Refused: "no"}}},
			"Undo 0 file changes in turn t2?", "tk: stays as it is: no", "Undone: nothing in turn t2; 1 call stays as it is:\n  tk: no", true, "", "",
		},
	} {
		if title, detail, report := one.plan.Title(), one.plan.Detail(), one.plan.Report(); title != one.title || detail != one.detail || report != one.report {
			t.Errorf("%s:\n%s\n%s\n%s\nwant\n%s\n%s\n%s", one.name, title, detail, report, one.title, one.detail, one.report)
		}
		if one.plan.Empty() != one.empty || strings.Join(one.plan.Changed(), " ") != one.changed || strings.Join(one.plan.CallTitles(), " ") != one.called {
			t.Errorf("%s: empty %v, changed %q, called %q", one.name, one.plan.Empty(), one.plan.Changed(), one.plan.CallTitles())
		}
	}
}

func TestTheDiffOfAPlan(t *testing.T) {
	plan := Plan{Files: []File{{change: change("a\n", "b\n")}, {Refused: "no", change: change("refused\n", "x\n")}, {Was: true, change: change("was\n", "x\n")}, {change: change("text\n", "\x00\x01")}}}
	view := plan.Diff()
	encoded, err := json.Marshal(view)
	if err != nil || view == nil {
		t.Fatal(view, err)
	}
	for text, want := range map[string]bool{"-a": true, "+b": true, "refused": false, "was": false, "2 bytes)": true} {
		if strings.Contains(string(encoded), text) != want {
			t.Errorf("%q is in it: %v: %s", text, !want, encoded)
		}
	}
}

// What is not there to be taken back is said with where it was looked for.
func TestThereIsNothingToTakeBack(t *testing.T) {
	journal := undolog.Of(persistence.Open(t.TempDir(), time.Now), "one")
	for _, one := range []struct {
		wish Request
		want string
	}{
		{Request{}, "There is nothing to undo: no tool made a change that can be undone."},
		{Request{Turn: "t\x1b1"}, "There is nothing to undo in turn t‹U+001B›1: no tool made a change that can be undone."},
		{Request{Turn: "t1", Path: "a.txt", Redo: true}, "There is nothing to redo in turn t1 in a.txt: nothing was undone."},
	} {
		if plan, err := Make(journal, tools.Env{}, one.wish); err == nil || err.Error() != one.want || !plan.Empty() {
			t.Errorf("%+v: %v", one.wish, err)
		}
	}
	ran := &Keeper{Journal: func() *undolog.Journal { return journal }, Turn: "t1", Tool: "ntfy_publish"}
	ran.RecordCall("ntfy_publish x", nil)
	want := "There is nothing to undo in turn t1: no tool made a change that can be undone.\nNot undone:\n  ntfy_publish x: a message that was sent cannot be recalled"
	if _, err := Make(journal, tools.Env{}, Request{Turn: "t1"}); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if other := notUndoable(undolog.Record{Title: "set x\x1b"}); other != "set x‹U+001B›" {
		t.Errorf("%s", other)
	}
}

func TestUndoByInverse(t *testing.T) {
	journal := undolog.Of(persistence.Open(t.TempDir(), time.Now), "one")
	k := &Keeper{Journal: func() *undolog.Journal { return journal }, Turn: "t1", Tool: "write_note"}
	k.RecordCall("first", tools.UndoneBy("delete_note", map[string]string{"name": "a"}))
	k.RecordCall("second", tools.CannotUndo("it stays"))
	k.RecordCall("third", tools.UndoneBy("read_note", map[string]string{"name": "b"}))
	plan, err := Make(journal, tools.Env{}, Request{})
	if err != nil || len(plan.Calls) != 2 || plan.Calls[0].Title != "third" || plan.Calls[1].Back.Tool != "delete_note" || strings.Join(plan.Others, "|") != "second: it stays" {
		t.Fatalf("%+v, %v", plan, err)
	}
	for i, inverse := range []*tools.Inverse{nil, tools.UndoneBy("write_note", map[string]string{"name": "a"})} {
		if err := plan.RecordDone(plan.Calls[i], journal, inverse); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Make(journal, tools.Env{}, Request{}); err == nil {
		t.Error("what was taken back is taken back again")
	}
	again, err := Make(journal, tools.Env{}, Request{Redo: true})
	if err != nil || len(again.Calls) != 2 || !again.Redo || again.Calls[0].Title != "first" || again.Calls[0].Back.Tool != "write_note" || again.Calls[1].Refused != "Marvin does not know how to undo this call" || len(again.Others) > 0 {
		t.Fatalf("%+v, %v", again, err)
	}
	if err := again.RecordDone(again.Calls[0], journal, tools.CannotUndo("never again")); err != nil {
		t.Fatal(err)
	}
	last, err := Make(journal, tools.Env{}, Request{Redo: true})
	if err != nil || len(last.Calls) != 1 {
		t.Errorf("%+v, %v", last, err)
	}
	var problems []error
	broken := &Keeper{Journal: func() *undolog.Journal { return journal }, Problem: func(err error) { problems = append(problems, err) }}
	broken.tell(nil)
	broken.tell(errors.New("no room"))
	if len(problems) != 1 {
		t.Errorf("told of %v", problems)
	}
}

// The conversation forgets what it read of a file that is put back, under each of its names.
func TestRestoredFileIsReadAgain(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path, called := filepath.Join(dir, "a"), filepath.Join(dir, "link/a")
	if err := errors.Join(os.WriteFile(path, []byte("new"), 0o644), os.Symlink(dir, filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	journal := undolog.Of(persistence.Open(t.TempDir(), time.Now), "one")
	k := &Keeper{Journal: func() *undolog.Journal { return journal }, Turn: "t1"}
	k.Keep([]tools.FileChange{{Dir: dir, Name: "a", Path: called, Before: []byte("old"), BeforeMode: 0o644, After: []byte("new"), AfterMode: 0o644}})
	env := tools.Env{Seen: &tools.Stamps{}, Now: time.Now}
	for _, name := range []string{path, called} {
		env.Seen.Record(name, []byte("new"))
	}
	plan, err := Make(journal, env, Request{})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(t.Context(), journal, env); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
	for _, name := range []string{path, called} {
		if env.Seen.Stale(name, []byte("another")) {
			t.Errorf("%s is taken for known", name)
		}
	}
}
