package undo_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/undo"
)

// heard are language servers that note the announced writes.
type heard struct{ told *[]string }

func (h heard) ReportChanges(changes []tools.FileChange) {
	for _, one := range changes {
		*h.told = append(*h.told, fmt.Sprintf("%s in %s, %q", one.Name, filepath.Base(one.Dir), one.After))
	}
}

func (heard) Server(context.Context, string, func(string)) (*tools.LanguageServer, error) {
	return nil, tools.ErrNoLanguage
}

func TestFilesChangedAfterPlanStay(t *testing.T) {
	for _, row := range []struct {
		what   string
		happen func(root string) error
		want   string // of b.txt
		stays  bool
	}{
		{"nothing", func(string) error { return nil }, "b", false},
		{"somebody writes", func(root string) error { return os.WriteFile(filepath.Join(root, "dir/b.txt"), []byte("mine"), 0o644) }, "mine", true},
		{"it goes", func(root string) error { return os.Remove(filepath.Join(root, "dir/b.txt")) }, "", true},
		{"a link comes", func(root string) error {
			path := filepath.Join(root, "dir/b.txt")
			return errors.Join(os.Rename(path, filepath.Join(root, "real")), os.Symlink("../real", path))
		}, "b\nmarvin\n", true},
		{"its directory goes", func(root string) error { return os.RemoveAll(filepath.Join(root, "dir")) }, "", true},
		{"a directory comes", func(root string) error {
			path := filepath.Join(root, "dir/b.txt")
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o755))
		}, "", true},
	} {
		p, told := begin(t), []string{}
		p.env.Languages = heard{&told}
		p.turn = 1
		p.write("a.txt", "a")
		p.write("dir/b.txt", "b")
		p.must("append_file", map[string]any{"path": "a.txt", "content": "\nmarvin\n"})
		p.must("append_file", map[string]any{"path": "dir/b.txt", "content": "\nmarvin\n"})
		p.must("create_file", map[string]any{"path": "new/c.txt", "content": "c\n"})
		told = told[:0]
		plan, err := undo.Make(p.journal, p.env, undo.Request{})
		if err != nil {
			t.Fatal(row.what, err)
		}
		if err := row.happen(p.env.Dir); err != nil {
			t.Fatal(row.what, err)
		}
		if err := plan.Apply(t.Context(), p.journal, p.env); err != nil {
			t.Errorf("%s: %v", row.what, err)
		}
		base := filepath.Base(p.env.Dir)
		want := []string{"a.txt in " + base + `, "a"`, "dir/b.txt in " + base + `, "b"`, "new/c.txt in " + base + `, ""`}
		if row.stays {
			want = []string{want[0], want[2]}
		}
		if got := strings.Join(told, "; "); got != strings.Join(want, "; ") {
			t.Errorf("%s: the servers heard %s", row.what, got)
		}
		if content, _ := os.ReadFile(filepath.Join(p.env.Dir, "dir/b.txt")); string(content) != row.want {
			t.Errorf("%s: b.txt is %q", row.what, content)
		}
		if content, _ := os.ReadFile(filepath.Join(p.env.Dir, "a.txt")); string(content) != "a" {
			t.Errorf("%s: a.txt is %q", row.what, content)
		}
		if _, err := os.Lstat(filepath.Join(p.env.Dir, "new")); !os.IsNotExist(err) {
			t.Errorf("%s: the directory that was made is still there: %v", row.what, err)
		}
		report := strings.ReplaceAll(plan.Report(), p.env.Dir, "ROOT")
		if strings.Contains(report, "stays as it is:\n  ROOT/dir/b.txt: ") != row.stays || len(plan.Changed()) != len(want) {
			t.Errorf("%s: %s\n%q", row.what, report, plan.Changed())
		}
	}
}

func TestReasonsToKeepFile(t *testing.T) {
	p := begin(t)
	p.turn = 1
	for _, name := range []string{"gone.txt", "dir.txt", "empty.txt", "into/it.txt", "link.txt"} {
		p.write(name, strings.TrimSuffix(filepath.Base(name), ".txt"))
	}
	p.write("empty.txt", "")
	p.must("append_file", map[string]any{"path": "empty.txt", "content": "more\n"})
	p.must("apply_patch", patchArgs("*** Delete File: gone.txt"))
	p.must("append_file", map[string]any{"path": "dir.txt", "content": "\nmore\n"})
	p.must("append_file", map[string]any{"path": "into/it.txt", "content": "\nmore\n"})
	p.must("append_file", map[string]any{"path": "link.txt", "content": "\nmore\n"})
	p.write("gone.txt", "another")
	path := func(name string) string { return filepath.Join(p.env.Dir, name) }
	if err := errors.Join(os.Remove(path("dir.txt")), os.Mkdir(path("dir.txt"), 0o755), os.RemoveAll(path("into")), os.WriteFile(path("into"), nil, 0o644),
		os.Remove(path("link.txt")), os.Symlink("/etc/passwd", path("link.txt"))); err != nil {
		t.Fatal(err)
	}
	plan, err := undo.Make(p.journal, p.env, undo.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range plan.Files {
		why := strings.ReplaceAll(file.Refused, p.env.Dir, "ROOT")
		want := map[string]string{
			"gone.txt": "another file with that name has been created since", "empty.txt": "",
			"dir.txt": "dir.txt is a directory: not a regular file", "it.txt": "into/it.txt: into is a file, not a directory",
			"link.txt": "link.txt: link.txt is a symbolic link to /etc/passwd, which is outside of the directory",
		}[filepath.Base(file.Path)]
		if why != want {
			t.Errorf("%s: %q, want %q", file.Path, why, want)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := plan.Apply(stopped, p.journal, p.env); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := plan.Apply(t.Context(), p.journal, p.env); err != nil {
		t.Error(err)
	}
	if content, err := os.ReadFile(path("empty.txt")); err != nil || len(content) > 0 {
		t.Errorf("the empty file: %q, %v", content, err)
	}
}

// A directory that is gone, or that another one stands for, is not written to; none is left open.
func TestReplacedDirectoryIsNotWritten(t *testing.T) {
	p := begin(t)
	p.turn = 1
	p.must("create_file", map[string]any{"path": "a.txt", "content": "a\n"})
	away := p.env.Dir + ".away"
	if err := os.Rename(p.env.Dir, away); err != nil {
		t.Fatal(err)
	}
	open := func() int {
		entries, _ := os.ReadDir("/proc/self/fd")
		return len(entries)
	}
	why := func() string {
		plan, err := undo.Make(p.journal, p.env, undo.Request{})
		if err != nil || len(plan.Files) != 1 {
			t.Fatal(plan, err)
		}
		return plan.Files[0].Refused
	}
	if got := why(); got != "its directory is gone" {
		t.Error(got)
	}
	if err := os.Symlink(away, p.env.Dir); err != nil {
		t.Fatal(err)
	}
	before := open()
	if got := why(); got != "its directory is now a symbolic link" {
		t.Error(got)
	}
	if err := errors.Join(os.Remove(p.env.Dir), os.Rename(away, p.env.Dir)); err != nil {
		t.Fatal(err)
	}
	if got := why(); got != "" {
		t.Error(got)
	}
	if after := open(); after > before {
		t.Errorf("%d files are open, %d were", after, before)
	}
}

func TestCallWithSavedFilesIsUndoable(t *testing.T) {
	p, problems := begin(t), []string{}
	keeper := func(call string) *undo.Keeper {
		return &undo.Keeper{
			Journal: func() *undolog.Journal { return p.journal }, Turn: "t1", Call: call, Tool: "run_command",
			Problem: func(err error) { problems = append(problems, err.Error()) },
		}
	}
	p.write("a", "new")
	kept := keeper("c1")
	kept.Keep([]tools.FileChange{{Dir: p.env.Dir, Name: "a", Path: filepath.Join(p.env.Dir, "a"), Before: []byte("old"), BeforeMode: 0o644, After: []byte("new"), AfterMode: 0o644}})
	kept.RecordCall("wrote a", nil)
	if records := p.records(); len(records) != 1 || len(problems) > 0 {
		t.Errorf("%+v, %q", records, problems)
	}
	keeper("c2").RecordCall("ran make", nil)
	if records := p.records(); len(records) != 2 {
		t.Errorf("%+v", records)
	}
	void := keeper("c3").Keep([]tools.FileChange{{Dir: p.env.Dir, Name: "b", Path: filepath.Join(p.env.Dir, "b"), After: []byte("b")}})
	void()
	if records := p.records(); len(records) != 4 || records[3].Kind != undolog.Void || fmt.Sprint(records[3].Of) != fmt.Sprint([]int64{records[2].ID}) || len(problems) > 0 {
		t.Errorf("a change that failed is kept: %+v, %q", records, problems)
	}
}
