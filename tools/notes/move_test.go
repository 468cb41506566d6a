package notes

import (
	"os"
	"path/filepath"
	"testing"
)

// What can be made can be renamed and removed.
func TestNotesAreRenamedAndRemoved(t *testing.T) {
	for _, coding := range []bool{false, true} {
		p := newPerson(t, coding)
		base, shown := filepath.Join(p.home, "Notes"), "~/Notes"
		if coding { // older Marvins kept them there
			base, shown = filepath.Join(p.project, ".marvin/notes"), ".marvin/notes"
		}
		p.fails("remove_note", `{"filename": "ideas"}`, "there is no note \"ideas\"", "notes_ls")
		put(t, filepath.Join(base, "ideas.md"), "- milk\n")
		put(t, filepath.Join(base, "taken.md"), "kept\n")
		put(t, filepath.Join(base, "list.txt"), "x\n")
		p.ok("move_note", `{"filename": "ideas", "to": "work/plans"}`, "Moved "+shown+"/ideas.md to "+shown+"/work/plans.md")
		if got := get(t, filepath.Join(base, "work/plans.md")); got != "- milk\n" {
			t.Errorf("it holds %q", got)
		}
		p.ok("move_note", `{"filename": "list.txt", "to": "work"}`, "Moved "+shown+"/list.txt to "+shown+"/work/list.txt")
		p.ok("move_note", `{"filename": "work/list.txt", "to": "work/all"}`, "Moved "+shown+"/work/list.txt to "+shown+"/work/all.txt")
		p.fails("move_note", `{"filename": "work/plans", "to": "taken"}`, "file already exists")
		p.fails("move_note", `{"filename": "work/plans", "to": "../../out"}`, "outside")
		p.fails("remove_note", `{"filename": "../../etc/passwd"}`, "outside")
		p.fails("remove_note", `{"filename": "work"}`, "only empty directories")
		p.ok("remove_note", `{"filename": "work/plans"}`, "Deleted "+shown+"/work/plans.md (7 characters)")
		p.ok("remove_note", `{"filename": "work/all.txt"}`, "Deleted "+shown+"/work/all.txt (2 characters)")
		p.ok("remove_note", `{"filename": "work"}`, "Removed the directory "+shown+"/work")
		if left, err := os.ReadDir(base); err != nil || len(left) != 1 || get(t, filepath.Join(base, "taken.md")) != "kept\n" {
			t.Errorf("left %v, %v", left, err)
		}
	}
}

func TestANoteThatChangedIsNotDeleted(t *testing.T) {
	p := newPerson(t, false)
	path := filepath.Join(p.home, "Notes", "ideas.md")
	put(t, path, "one\n")
	if _, err := p.run("read_note", `{"filename": "ideas"}`); err != nil {
		t.Fatal(err)
	}
	put(t, path, "two\n")
	p.fails("remove_note", `{"filename": "ideas"}`, "another program changed the file")
	if got := get(t, path); got != "two\n" {
		t.Errorf("left %q", got)
	}
}
