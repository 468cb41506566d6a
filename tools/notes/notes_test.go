package notes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/toolbox"
)

// person has a home and a project, and talks in one of the two modes.
type person struct {
	t             *testing.T
	home, project string
	env           tools.Env
}

func newPerson(t *testing.T, coding bool) *person {
	t.Helper()
	p := &person{t: t, home: t.TempDir(), project: t.TempDir()}
	p.env = tools.Env{Home: p.home, Dir: p.project, Coding: coding, Room: 100_000, Seen: &tools.Stamps{}, Progress: func(string) {}}
	return p
}

func (p *person) run(tool, raw string) (tools.Output, error) {
	p.t.Helper()
	var registry toolbox.Registry
	registry.Add(Tools()...)
	found, ok := registry.Lookup(tool)
	if !ok {
		p.t.Fatalf("no tool %s", tool)
	}
	call, err := found.Decode(json.RawMessage(raw))
	if err != nil {
		return tools.Output{}, err
	}
	return call.Run(context.Background(), p.env)
}

func (p *person) ok(tool, raw, want string) tools.Output {
	p.t.Helper()
	out, err := p.run(tool, raw)
	if err != nil || out.Text != want {
		p.t.Errorf("%s %s: %q, %v; want %q", tool, raw, out.Text, err, want)
	}
	return out
}

func (p *person) fails(tool, raw string, says ...string) {
	p.t.Helper()
	out, err := p.run(tool, raw)
	if err == nil {
		p.t.Errorf("%s %s worked: %s", tool, raw, out.Text)
		return
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			p.t.Errorf("%s %.200s: the error does not say %q:\n%v", tool, raw, part, err)
		}
	}
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	return string(content)
}

func TestToolsAreDescribed(t *testing.T) {
	for _, tool := range Tools() {
		if _, err := tool.Schema(); err != nil {
			t.Error(err)
		}
		if tool.Coding || len(tool.Examples) < 2 || tool.Access != tools.Free {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
		if tool.Chat != slices.Contains([]string{"write_note", "read_note", "notes_ls", "search_notes"}, tool.Name) || tool.Writes != slices.Contains([]string{"file_apply_patch", "write_note", "notes_mkdir", "move_note", "remove_note"}, tool.Name) {
			t.Errorf("%s: chat %v, writes %v", tool.Name, tool.Chat, tool.Writes)
		}
	}
}

func TestNotesLiveInTheHome(t *testing.T) {
	p := newPerson(t, false)
	p.ok("notes_ls", `{}`, "There are no notes yet. write_note makes the first one.")
	p.fails("read_note", `{"filename":"ideas"}`, "no notes yet", "write_note")
	p.fails("search_notes", `{"query":"x"}`, "no notes yet")
	if _, err := os.Stat(filepath.Join(p.home, "Notes")); err == nil {
		t.Error("reading made ~/Notes")
	}
	out := p.ok("write_note", `{"filename":"ideas","content":"buy milk"}`, "Wrote ~/Notes/ideas.md (9 characters)")
	if *out.View != (messages.View{Kind: messages.Path, Text: "~/Notes/ideas.md"}) {
		t.Errorf("view %+v", out.View)
	}
	p.ok("read_note", `{"filename":"ideas"}`, "buy milk\n")
	p.ok("read_note", `{"filename":"~/Notes/ideas.md"}`, "buy milk\n")
	p.ok("write_note", `{"filename":"Notes/ideas.md","content":"käse\n","append":true}`, "Appended to ~/Notes/ideas.md (5 characters)")
	p.ok("notes_mkdir", `{"dirname":"work/2026"}`, "Made ~/Notes/work/2026/")
	p.ok("notes_mkdir", `{"path":"work"}`, "~/Notes/work is already there.")
	p.ok("write_note", `{"path":"work/a..b.md","content":"x"}`, "Wrote ~/Notes/work/a..b.md (2 characters)")
	p.ok("write_note", `{"filename":"v1.2 plan","content":""}`, "Wrote ~/Notes/v1.2 plan.md (0 characters)")
	p.ok("read_note", `{"filename":"v1.2 plan"}`, "[~/Notes/v1.2 plan.md is empty]")
	p.ok("notes_ls", `{}`, "~/Notes:\n  ideas.md (15 bytes)\n  v1.2 plan.md (0 bytes)\n  work/\n")
	p.ok("notes_ls", `{"path":"~/Notes/work"}`, "~/Notes/work:\n  2026/\n  a..b.md (2 bytes)\n")
	p.ok("notes_ls", `{"path":"work/2026/"}`, "~/Notes/work/2026 is empty.")
	p.ok("search_notes", `{"query":"KÄSE"}`, "ideas.md:2: käse")
	if entries, _ := os.ReadDir(p.project); len(entries) != 0 {
		t.Errorf("the project has %v", entries)
	}
}

// A note is the user's in every mode and directory; a project has its own only on request.
func TestNotesAreTheUsersAndAProjectHasItsOwnOnRequest(t *testing.T) {
	for _, coding := range []bool{false, true} {
		p := newPerson(t, coding)
		p.ok("write_note", `{"filename":"ideas","content":"buy milk"}`, "Wrote ~/Notes/ideas.md (9 characters)")
		if entries, _ := os.ReadDir(p.project); len(entries) != 0 {
			t.Errorf("the project has %v", entries)
		}
		p.ok("write_note", `{"filename":"plan","content":"# Plan\n","project":true}`, "Wrote .marvin/notes/plan.md (7 characters)")
		p.ok("read_note", `{"filename":".marvin/notes/plan.md"}`, "# Plan\n")
		p.ok("read_note", `{"filename":"plan"}`, "# Plan\n[this is .marvin/notes/plan.md, a project note]")
		p.ok("notes_mkdir", `{"dirname":"d","project":true}`, "Made .marvin/notes/d/")
		p.ok("notes_ls", `{}`, "~/Notes:\n  ideas.md (9 bytes)\n.marvin/notes:\n  d/\n  plan.md (7 bytes)\n")
		p.ok("notes_ls", `{"path":".marvin/notes"}`, ".marvin/notes:\n  d/\n  plan.md (7 bytes)\n")
		p.ok("search_notes", `{"query":"L"}`, "~/Notes/ideas.md:1: buy milk\n.marvin/notes/plan.md:1: # Plan")
		p.ok("write_note", `{"filename":".marvin/notes/ideas.md","content":"other"}`, "Wrote .marvin/notes/ideas.md (6 characters)")
		p.ok("read_note", `{"filename":"ideas"}`, "buy milk\n[this is ~/Notes/ideas.md; the project also has a note with this name: .marvin/notes/ideas.md]")
		p.ok("read_note", `{"filename":"ideas","project":true}`, "other\n[this is .marvin/notes/ideas.md, a project note]")
		p.env.Dir = ""
		p.fails("write_note", `{"filename":"a","content":"b","project":true}`, "set_working_dir")
		p.ok("read_note", `{"filename":"ideas"}`, "buy milk\n")
	}
}

// Git sees nothing of Marvin's, and everything that a team shares.
func TestNotesAreNeverPartOfACommit(t *testing.T) {
	for name, before := range map[string]map[string]string{
		"a new project":    {},
		"shared files":     {".marvin/agents/a.md": "", ".marvin/config.yaml": "", ".marvin/own/x": ""},
		"its own settings": {".marvin/.gitignore": "cache\n", ".marvin/agents/a.md": ""},
	} {
		p := newPerson(t, true)
		git := func(args ...string) string {
			out, err := exec.Command("git", append([]string{"-C", p.project}, args...)...).CombinedOutput()
			if err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
			return string(out)
		}
		git("init", "-q")
		for path, text := range before {
			put(t, filepath.Join(p.project, path), text)
		}
		wanted := git("status", "--porcelain", "-uall")
		p.ok("write_note", `{"filename":"secret","content":"hunter2","project":true}`, "Wrote .marvin/notes/secret.md (8 characters)")
		put(t, filepath.Join(p.project, ".marvin/commands/review.md"), "later")
		wanted += "?? .marvin/commands/review.md\n"
		got := strings.Split(git("status", "--porcelain", "-uall"), "\n")
		all := strings.Split(wanted, "\n")
		slices.Sort(got)
		slices.Sort(all)
		if !slices.Equal(got, all) {
			t.Errorf("%s: git sees %q instead of %q", name, got, all)
		}
	}
}

func TestLineToolsMeanTheHomeAlsoInCodingMode(t *testing.T) {
	p := newPerson(t, true)
	put(t, filepath.Join(p.home, "Notes/a.md"), "home\n")
	put(t, filepath.Join(p.project, ".marvin/notes/a.md"), "project\n")
	p.ok("file_read_lines", `{"path":"a.md"}`, "~/Notes/a.md: 1 line, 1 to 1 shown\n    1 | home\n")
	if _, err := p.run("file_apply_patch", `{"path":"a.md","patch":"REPLACE 1\nHOME"}`); err != nil {
		t.Error(err)
	}
	if get(t, filepath.Join(p.home, "Notes/a.md")) != "HOME\n" || get(t, filepath.Join(p.project, ".marvin/notes/a.md")) != "project\n" {
		t.Error("the wrong file was patched")
	}
}

func TestWithoutHome(t *testing.T) {
	p := newPerson(t, false)
	p.env.Home = ""
	for _, call := range [][2]string{
		{"write_note", `{"filename":"a","content":"b"}`},
		{"read_note", `{"filename":"a"}`},
		{"notes_ls", `{}`},
		{"notes_mkdir", `{"dirname":"a"}`},
		{"search_notes", `{"query":"a"}`},
		{"file_read_lines", `{"path":"a"}`},
		{"file_apply_patch", `{"path":"a","patch":"DELETE 1"}`},
	} {
		p.fails(call[0], call[1], "no home directory", "HOME")
	}
}

func TestNotesCannotLeaveTheirDirectory(t *testing.T) {
	p := newPerson(t, false)
	put(t, filepath.Join(p.home, "NotesX/secret.md"), "secret\n")
	put(t, filepath.Join(p.home, "Notes/in.md"), "in\n")
	if err := os.Symlink("../NotesX", filepath.Join(p.home, "Notes/out")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../NotesX/secret.md", "~/NotesX/secret.md", "out/secret.md", filepath.Join(p.home, "NotesX/secret.md"), "~/Notes/../NotesX/secret.md"} {
		quoted, _ := json.Marshal(name)
		p.fails("write_note", fmt.Sprintf(`{"filename":%s,"content":"evil"}`, quoted), "outside of the directory")
		p.fails("read_note", fmt.Sprintf(`{"filename":%s}`, quoted), "outside of the directory")
		p.fails("notes_mkdir", fmt.Sprintf(`{"dirname":%s}`, quoted), "outside of the directory")
		p.fails("file_read_lines", fmt.Sprintf(`{"path":%s}`, quoted), "outside of the directory")
		p.fails("file_apply_patch", fmt.Sprintf(`{"path":%s,"patch":"DELETE 1"}`, quoted), "outside of the directory")
	}
	p.ok("search_notes", `{"query":"secret"}`, `No note in ~/Notes contains "secret".`)
	if get(t, filepath.Join(p.home, "NotesX/secret.md")) != "secret\n" {
		t.Error("written")
	}
	p.fails("read_note", `{"filename":"in.txt"}`, "not exist", "Notes directory: "+p.home, "in.md")
}

// A repository must not choose where notes go; the user may.
func TestLinkedNotesDirectories(t *testing.T) {
	p := newPerson(t, true)
	target := t.TempDir()
	if err := os.Symlink(target, filepath.Join(p.project, ".marvin")); err != nil {
		t.Fatal(err)
	}
	p.fails("write_note", `{"filename":"a","content":"b","project":true}`, "outside of the directory")
	if err := os.Symlink(target, filepath.Join(p.home, "Notes")); err != nil {
		t.Fatal(err)
	}
	p.ok("write_note", `{"filename":"a","content":"b"}`, "Wrote ~/Notes/a.md (2 characters)")
	if get(t, filepath.Join(target, "a.md")) != "b\n" {
		t.Error("not written through the link")
	}
}

func TestANoteThatIsThereIsAddedTo(t *testing.T) {
	p := newPerson(t, false)
	p.ok("write_note", `{"filename":"a","content":"one"}`, "Wrote ~/Notes/a.md (4 characters)")
	p.ok("write_note", `{"filename":"a","content":"two"}`, "Appended to ~/Notes/a.md (4 characters); the note already existed, so its old text was kept (use replace: true to replace it)")
	if got := get(t, filepath.Join(p.home, "Notes/a.md")); got != "one\ntwo\n" {
		t.Errorf("%q", got)
	}
	p.ok("write_note", `{"filename":"a","content":"one\ntwo\nthree"}`, "Replaced ~/Notes/a.md (14 characters); it had 8 characters before") // nothing is lost
	p.ok("write_note", `{"filename":"a","content":"one","replace":true}`, "Replaced ~/Notes/a.md (4 characters); it had 14 characters before")
	out := p.ok("write_note", `{"filename":"a","content":"two","replace":true}`, "Replaced ~/Notes/a.md (4 characters); it had 4 characters before")
	if out.View.Kind != messages.Diff || !strings.Contains(out.View.Text, "-one\n+two\n") {
		t.Errorf("view %+v", out.View)
	}
	put(t, filepath.Join(p.home, "Notes/a.md"), "by hand")
	p.fails("write_note", `{"filename":"a","content":"three","replace":true}`, "changed since it was read", "Read it again")
	p.ok("write_note", `{"filename":"a","content":"four","append":true}`, "Appended to ~/Notes/a.md (5 characters)")
	if got := get(t, filepath.Join(p.home, "Notes/a.md")); got != "by hand\nfour\n" {
		t.Errorf("%q", got)
	}
}

func TestAppendsAtTheSameTimeAllArrive(t *testing.T) {
	p := newPerson(t, false)
	tool := Tools()[0]
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			call, err := tool.Decode(json.RawMessage(fmt.Sprintf(`{"filename":"log","content":"%d","append":true}`, i)))
			if err == nil {
				_, err = call.Run(context.Background(), p.env)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if lines := strings.Count(get(t, filepath.Join(p.home, "Notes/log.md")), "\n"); lines != 8 {
		t.Errorf("%d lines of 8 arrived", lines)
	}
}

func TestLongNoteIsShownInPart(t *testing.T) {
	p := newPerson(t, false)
	put(t, filepath.Join(p.home, "Notes/long.md"), strings.Repeat("a line of a long note\n", 1000))
	out, err := p.run("read_note", `{"filename":"long"}`)
	if err != nil || len(out.Text) > 10_500 || !strings.HasSuffix(out.Text, `of 1000 are shown. Continue with file_read_lines {"path": "long.md", "start": 466}]`) {
		t.Errorf("%d bytes, %v: %q", len(out.Text), err, out.Text[max(0, len(out.Text)-150):])
	}
	p.env.Coding = true
	put(t, filepath.Join(p.project, ".marvin/notes/long.md"), strings.Repeat("a line of a long note\n", 1000))
	out, err = p.run("read_note", `{"filename":"long","project":true}`)
	if err != nil || !strings.Contains(out.Text, `read_file {"path": ".marvin/notes/long.md", "start_line": 466, "end_line": 665}`) {
		t.Errorf("%v: %q", err, out.Text[max(0, len(out.Text)-150):])
	}
	p.env.Room = 100
	p.fails("read_note", `{"filename":"long"}`, "no room left")
	p.env.Coding, p.env.Room = false, 100_000
	for size, says := range map[int]string{box.MaxEdit: "", box.MaxEdit + 1: "too large for a note"} { // the largest one is read
		put(t, filepath.Join(p.home, "Notes/large.md"), strings.Repeat("x\n", size/2)+strings.Repeat("x", size%2))
		if _, err := p.run("read_note", `{"filename":"large"}`); says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("of %d bytes: %v", size, err)
		}
	}
}

func TestSearchIsLiteralAndBounded(t *testing.T) {
	p := newPerson(t, false)
	put(t, filepath.Join(p.home, "Notes/a.md"), strings.Repeat("hit\n", 60))
	put(t, filepath.Join(p.home, "Notes/b/c.md"), "-e .* [x]\r\nCafe\u0301\n"+strings.Repeat("long ", 100)+"needle"+strings.Repeat(" tail", 100)+"\n")
	put(t, filepath.Join(p.home, "Notes/bin"), "hit\x00")
	out, err := p.run("search_notes", `{"query":"HIT"}`)
	if lines := strings.Split(out.Text, "\n"); err != nil || len(lines) != 51 || lines[49] != "a.md:50: hit" || !strings.Contains(lines[50], "only the first 50") {
		t.Errorf("%v, %d lines, %q", err, len(lines), lines[len(lines)-1])
	}
	p.ok("search_notes", `{"query":"-e .*"}`, "b/c.md:1: -e .* [x]")
	p.ok("search_notes", `{"query":"caf\u00e9"}`, "b/c.md:2: Cafe\u0301")
	out, err = p.run("search_notes", `{"query":"needle"}`)
	if err != nil || len(out.Text) > 230 || !strings.Contains(out.Text, "needle") || !strings.HasPrefix(out.Text, "b/c.md:3: …") {
		t.Errorf("%v, %q", err, out.Text)
	}
	p.fails("search_notes", `{"query":"  "}`, "query is empty")
	put(t, filepath.Join(p.home, "Notes/d.md"), "begins it"+strings.Repeat(" tail", 100)+"\n")
	out, err = p.run("search_notes", `{"query":"begins"}`)
	if err != nil || !strings.HasPrefix(out.Text, "d.md:1: begins it tail") || !strings.HasSuffix(out.Text, "…") {
		t.Errorf("of a line that begins with it: %v, %q", err, out.Text)
	}
}

func TestReadLines(t *testing.T) {
	p := newPerson(t, false)
	put(t, filepath.Join(p.home, "Notes/a.md"), "one\r\ntwo\r\nthree")
	p.ok("file_read_lines", `{"path":"a.md"}`, "~/Notes/a.md: 3 lines, 1 to 3 shown\n    1 | one\n    2 | two\n    3 | three\n")
	p.ok("file_read_lines", `{"path":"~/Notes/a","start":2,"end":2}`, "~/Notes/a.md: 3 lines, 2 to 2 shown\n    2 | two\n")
	p.ok("file_read_lines", `{"path":"a.md","start":0,"end":99}`, "~/Notes/a.md: 3 lines, 1 to 3 shown\n    1 | one\n    2 | two\n    3 | three\n")
	p.fails("file_read_lines", `{"path":"a.md","start":4}`, "only 3 lines")
	p.fails("file_read_lines", `{"path":"a.md","start":3,"end":2}`, "before start")
	p.fails("file_read_lines", `{"path":"b.md"}`, "not exist")
}

func TestPatchNote(t *testing.T) {
	p := newPerson(t, false)
	path := filepath.Join(p.home, "Notes/a.md")
	put(t, path, "---\ntitle: x\n---\none\ntwo\n")
	out := p.ok("file_apply_patch", `{"path":"a.md","patch":"DELETE 4\n---\nINSERT 5\nthree","dry_run":true}`,
		"Dry run: nothing was written. ~/Notes/a.md would change:\n--- a/a.md\n+++ b/a.md\n@@ -1,5 +1,5 @@\n ---\n title: x\n ---\n-one\n two\n+three\n")
	if out.View == nil || get(t, path) != "---\ntitle: x\n---\none\ntwo\n" {
		t.Errorf("dry run: %q", get(t, path))
	}
	p.ok("file_apply_patch", `{"path":"a.md","patches":"DELETE 4\n---\nINSERT 5\nthree"}`,
		"Patched ~/Notes/a.md, which now has 5 lines:\n  DELETE 4: -1 +0 at line 4\n  INSERT 5: -0 +1 at line 5\n")
	p.ok("file_apply_patch", `{"path":"a.md","patch":"--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n ---\n-title: x\n+title: y\n ---"}`,
		"Patched ~/Notes/a.md, which now has 5 lines:\n  @@ -1,3 +1,3 @@: -1 +1 at line 2\n")
	want := "---\ntitle: y\n---\ntwo\nthree\n"
	for _, row := range [][2]string{
		{`{"path":"a.md","patch":"@@ -4,1 +4,1 @@\n-TWO\n+2"}`, "nothing was changed"},
		{`{"path":"a.md","patch":"DELETE x"}`, "not one of REPLACE"},
		{`{"path":"a.md","patch":"DELETE 6"}`, "lines 1 to 5"},
		{`{"path":"a.md"}`, "patch is required"},
		{`{"path":"new.md","patch":"INSERT 0\nx"}`, "must exist"},
	} {
		p.fails("file_apply_patch", row[0], row[1])
	}
	if got := get(t, path); got != want {
		t.Errorf("%q", got)
	}
	put(t, path, "changed by hand\n")
	p.fails("file_apply_patch", `{"path":"a.md","patch":"DELETE 1"}`, "changed since it was read")
}
