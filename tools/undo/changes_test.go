package undo_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools/undo"
)

// told are the changes as a line for each file.
func (p *project) told() (lines string, all messages.Changes) {
	p.Helper()
	changed, err := undo.Changes(p.journal, p.env, p.env.Dir)
	if err != nil {
		p.Fatal(err)
	}
	all = undo.Summary(p.journal, changed)
	for _, file := range all.Files {
		lines += fmt.Sprintf("%s %s +%d -%d %v %v %s\n", file.Name, file.Was, file.Added, file.Removed, file.New, file.Deleted, file.Refused+file.Missing)
	}
	return lines, all
}

// part takes a part of a file back.
func (p *project) part(name string, hunk int, all messages.Changes) error {
	p.Helper()
	for _, file := range all.Files {
		if file.Name == name {
			plan, err := undo.Part(p.journal, p.env, p.env.Dir, messages.TakeBack{Path: file.Path, Hunk: hunk, Seen: file.Seen})
			if err != nil {
				return err
			}
			return plan.Apply(context.Background(), p.journal, p.env)
		}
	}
	p.Fatalf("%s is not changed", name)
	return nil
}

// undo carries out what /undo and /redo do.
func (p *project) wish(wish undo.Request) {
	p.Helper()
	plan, err := undo.Make(p.journal, p.env, wish)
	if err != nil {
		p.Fatal(err)
	}
	if err := plan.Apply(context.Background(), p.journal, p.env); err != nil {
		p.Fatal(err)
	}
}

func edited(from, to string) map[string]any {
	return map[string]any{"patch": "*** Begin Patch\n*** Update File: a.txt\n@@\n-" + from + "\n+" + to + "\n*** End Patch\n"}
}

func TestEditsOfAFileAreOneChange(t *testing.T) {
	p := begin(t)
	p.write("a.txt", "1\n2\n3\n")
	p.write("old.txt", "o1\no2\no3\n")
	p.write("gone.txt", "g\n")
	p.turn = 1
	p.must("apply_patch", edited("1", "one"))
	p.must("create_file", map[string]any{"path": "brief.txt", "content": "x\n"})
	p.turn = 2
	p.again()
	p.must("apply_patch", edited("one", "uno"))
	p.must("apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Delete File: brief.txt\n*** Delete File: gone.txt\n*** Update File: old.txt\n*** Move to: new.txt\n@@\n-o2\n+two\n*** End Patch\n"})
	lines, all := p.told()
	if want := "a.txt  +1 -1 false false \ngone.txt  +0 -1 false true \nnew.txt old.txt +1 -1 false false \n"; lines != want || all.Added != 2 || all.Removed != 3 {
		t.Fatalf("%s%+v", lines, all)
	}
	if strings.Contains(all.Files[0].Patch, "one") || !strings.Contains(all.Files[0].Patch, "-1\n+uno\n") {
		t.Error(all.Files[0].Patch)
	}
	p.wish(undo.Request{Turn: "t2"})
	if lines, _ := p.told(); lines != "a.txt  +1 -1 false false \nbrief.txt  +1 -0 true false \n" {
		t.Errorf("after undo:\n%s", lines)
	}
	p.wish(undo.Request{Turn: "t2", Redo: true})
	if lines, _ := p.told(); !strings.HasPrefix(lines, "a.txt  +1 -1 false false \ngone.txt") {
		t.Errorf("after redo:\n%s", lines)
	}
	p.wish(undo.Request{Turn: "t2"})
	p.wish(undo.Request{Turn: "t1"})
	if lines, _ := p.told(); lines != "" {
		t.Errorf("all was taken back:\n%s", lines)
	}
}

// A part of a change is taken back alone, done again, and goes with its turn.
func TestPartIsUndoneAlone(t *testing.T) {
	p := begin(t)
	before := "1\na\nb\nc\nd\ne\nf\ng\nh\n2\n"
	p.write("a.txt", before)
	p.turn = 1
	p.must("apply_patch", edited("1", "one"))
	p.must("apply_patch", edited("2", "two"))
	p.must("create_file", map[string]any{"path": "deep/new.txt", "content": "x\n"})
	_, all := p.told()
	holds := func(want string) {
		t.Helper()
		if content, _ := os.ReadFile(filepath.Join(p.env.Dir, "a.txt")); string(content) != want {
			t.Errorf("a.txt holds %q, want %q", content, want)
		}
	}
	if err := p.part("a.txt", 2, all); err != nil {
		t.Fatal(err)
	}
	holds("one" + before[1:])
	if err := p.part("a.txt", 1, all); err == nil || !strings.Contains(err.Error(), "it has changed since you looked at it") {
		t.Errorf("what was listed before: %v", err)
	}
	p.again()
	p.wish(undo.Request{Redo: true})
	holds("one" + before[1:len(before)-2] + "two\n")
	if _, all = p.told(); p.part("deep/new.txt", 1, all) != nil || len(p.tree()) != 2 {
		t.Errorf("a new file stays: %v", p.tree())
	}
	_, all = p.told()
	if err := p.part("a.txt", 1, all); err != nil {
		t.Fatal(err)
	}
	p.wish(undo.Request{})
	holds(before)
}

func TestForeignChangeIsShownAndStays(t *testing.T) {
	p := begin(t)
	p.write("a.txt", "1\n2\n")
	p.turn = 1
	p.must("apply_patch", edited("1", "one"))
	p.write("a.txt", "one\n2\nmine\n")
	lines, all := p.told()
	if lines != "a.txt  +2 -1 false false it was changed since\n" {
		t.Fatal(lines)
	}
	if err := p.part("a.txt", 1, all); err == nil || !strings.Contains(err.Error(), "it was changed since") {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(p.env.Dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(p.env.Dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if lines, all := p.told(); !strings.Contains(lines, "symbolic link") || strings.Contains(all.Files[0].Patch, "root") {
		t.Error(lines)
	}
}
