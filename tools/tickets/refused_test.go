package tickets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
)

// every returns one call of each ticket tool, for the ticket with this id.
func every(id string) map[string]in {
	return map[string]in{
		"ticket_start": {"ticket_id": id}, "ticket_close": {"ticket_id": id}, "ticket_add_note": {"ticket_id": id, "note": "x"}, "ticket_show": {"ticket_id": id},
		"ticket_dep_tree": {"ticket_id": id}, "ticket_add_dep": {"ticket_id": id, "depends_on": "m-2"},
	}
}

func TestTicketErrors(t *testing.T) {
	p := newProject(t)
	all := every("m-1")
	for name := range p.tools {
		if _, known := all[name]; !known && name != "create_ticket" && name != "ticket_list" && name != "tk" {
			t.Errorf("nothing is tried of %s", name)
		}
	}
	refuses := func(what, want string) {
		t.Helper()
		for name, args := range all {
			if got := p.call(name, args); !strings.HasPrefix(got, "Error: "+want) {
				t.Errorf("%s, %s: %q, want %q", what, name, got, want)
			}
		}
	}
	refuses("no tickets", "there are no tickets in or above "+p.dir+"\nMake one with create_ticket.")
	p.expect("ticket_list", in{}, "There are no tickets. Make one with create_ticket.")
	p.env.Dir, all["ticket_list"] = "", in{}
	refuses("no directory", "no working directory is set\nCall set_working_dir with the project's absolute path first.")
	p.expect("create_ticket", in{"title": "x"}, "Error: no working directory is set…")
	p.env.Dir = p.dir
	outside := filepath.Join(t.TempDir(), "tickets")
	if err := errors.Join(os.Mkdir(outside, 0o755), os.Symlink(outside, filepath.Join(p.dir, ".tickets"))); err != nil {
		t.Fatal(err)
	}
	refuses("a link out", "")
	p.expect("create_ticket", in{"title": "x"}, "Error: …")
	if err := os.Remove(filepath.Join(p.dir, ".tickets")); err != nil {
		t.Fatal(err)
	}
	p.ticket("m-2", "open", "", "")
	p.ticket("n-2", "open", "", "")
	delete(all, "ticket_list")
	refuses("another ticket", "there is no ticket \"m-1\" in "+p.dir+"/.tickets\nClose IDs: m-2")
	all = every(" ")
	delete(all, "ticket_dep_tree")
	refuses("an empty one", "the ticket's ID is empty\nGive an ID from ticket_list.")
	all = every("-2")
	refuses("a part of two", "\"-2\" matches the IDs of 2 tickets\nGive one of these: m-2, n-2.")
	if _, _, err := Brief(p.env, "m-1"); err == nil {
		t.Error("a brief of no ticket")
	}
	text, blockers, err := Brief(p.env, "m-2")
	if err != nil || text != p.read(".tickets/m-2.md") || len(blockers) > 0 {
		t.Errorf("%q, %q, %v", text, blockers, err)
	}
	p.ticket("o-3", "open", "m-2, n-2", "")
	if _, blockers, err := Brief(p.env, "o-3"); err != nil || strings.Join(blockers, " ") != "m-2 n-2" {
		t.Errorf("%q, %v", blockers, err)
	}
	if _, _, err := Brief(tools.Env{}, "m-2"); err == nil {
		t.Error("a brief without a directory")
	}
}

func TestTicketsThatCannotBeRead(t *testing.T) {
	p := newProject(t)
	p.ticket("m-1", "open", "", "")
	p.write(".tickets/readme.md", "# Not a ticket\n")
	p.write(".tickets/.hidden.md", "---\nid: h-1\n---\n")
	p.write(".tickets/note.txt", "---\nid: t-1\n---\n")
	if err := os.Mkdir(filepath.Join(p.dir, ".tickets/odd.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"ticket_list": "m-1      [open] - The m-1\nNote: Marvin could not read odd.md", "ticket_dep_tree": "m-1 [open] The m-1\nNote: Marvin could not read odd.md"} {
		p.expect(name, in{}, want)
	}
}

// This test covers the flags of tk without tk itself.
func TestFlagsOfTkWhereItIsNotInstalled(t *testing.T) {
	for _, one := range []struct{ args, want, file string }{
		{`create "A title" -d "Why" --design how --acceptance "it works" -t bug -p 9 -a me --external-ref gh-1 -T x`, "Created …", "priority: 4"},
		{`create "A title" -p -3`, "Created …", "priority: 0"},
		{`create "A title" --tags=x`, "Created …", "tags: [x]"},
		{`create "A title" -t bug`, "Created …", "type: bug"},
		{`create "A title"`, "Created …", "type: task"},
		{`create "A title" -d "The reason"`, "Created …", "\nThe reason\n"},
		{`create "A title" --acceptance "it works"`, "Created …", "it works"},
		{`create "A title" --design how`, "Created …", "how"},
		{`create "A title" -a me`, "Created …", "assignee: me"},
		{`create "A title" --external-ref gh-1`, "Created …", "external-ref: gh-1"},
		{`create "A title" -t story`, `Error: "story" is not a type; choose bug, feature, task, epic or chore`, ""},
		{`create "A title" -p high`, `Error: "high" is not a priority; give a number from 0 (highest) to 4`, ""},
		{`create "A title" --colour red`, `Error: tk create has no option --colour`, ""},
		{`create`, `Error: tk is not installed, and "create" needs it…`, ""},
		{`status m-1 done`, `Error: tk is not installed…`, ""},
		{`status m-1 closed`, `Updated m-1 -> closed`, ""},
		{`add-note m-1 several words here`, `Note added to m-1`, ""},
		{`add-note m-1`, `Error: tk is not installed…`, ""},
		{`dep m-1`, `Error: tk is not installed…`, ""},
		{`dep tree`, `m-1 [open] The m-1`, ""},
		{`create "unclosed`, `Error: …`, ""},
	} {
		p := newProject(t)
		p.ticket("m-1", "open", "", "")
		got := p.call("tk", in{"args": one.args})
		beginning, open := strings.CutSuffix(one.want, "…")
		if strings.HasPrefix(beginning, "Created") {
			beginning = ""
		}
		if got != one.want && (!open || !strings.HasPrefix(got, beginning)) {
			t.Errorf("%s: %q, want %q", one.args, got, one.want)
		}
		entries, err := os.ReadDir(filepath.Join(p.dir, ".tickets"))
		if err != nil || (len(entries) == 2) != (one.file != "") {
			t.Errorf("%s: %d tickets, %v: %s", one.args, len(entries), err, got)
			continue
		}
		for _, entry := range entries {
			if text := p.read(".tickets/" + entry.Name()); one.file != "" && entry.Name() != "m-1.md" && !strings.Contains(text, one.file) {
				t.Errorf("%s: made %s", one.args, text)
			}
		}
	}
}
