package words

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What was not listed is looked for: in a directory with more names than are read, and
// where a disk does not tell small letters from capitals.
func TestAFullDirectoryHasItsInstructions(t *testing.T) {
	files := map[string]string{"AGENTS.md": "Rules of a full directory.", ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nSteps."}
	for i := range 2 * mostListed {
		files[fmt.Sprintf("data-%d", i)] = "x"
	}
	dir := repository(t, files)
	found := look(t, dir)
	if !strings.Contains(told(found), "Rules of a full directory.") || len(found.Of(Skill)) != 1 {
		t.Errorf("%q, %d skills", told(found), len(found.Of(Skill)))
	}
	if root, err := os.OpenRoot(dir); err != nil {
		t.Fatal(err)
	} else if names := (tree{root: root}).list(); names != nil {
		t.Errorf("%d names of a full directory", len(names))
	}
	if few := (tree{names: map[string]bool{"agents.md": true}}); few.lacks("AGENTS.md") || !few.lacks("CLAUDE.md") {
		t.Error("agents.md may be AGENTS.md, and is no CLAUDE.md")
	}
}

// Where no skill is yet is nothing wrong.
func TestAFolderOfSkillsMayBeEmpty(t *testing.T) {
	dir := repository(t, map[string]string{"AGENTS.md": "Rules."})
	if err := os.MkdirAll(filepath.Join(dir, ".claude/skills"), 0o755); err != nil {
		t.Fatal(err)
	}
	if found := look(t, dir); len(found.Problems) > 0 || len(found.Of(Skill)) != 0 || !strings.Contains(told(found), "Rules.") {
		t.Errorf("%q, %q", told(found), found.Problems)
	}
}

// A directory of the walk that is a link to elsewhere in the repository is opened from its root.
func TestALinkedDirectoryCountsInItsRepository(t *testing.T) {
	dir := repository(t, map[string]string{"real/AGENTS.md": "Rules of the real one.", "x/y.go": "package x"})
	if err := os.Symlink("../real", filepath.Join(dir, "x/linked")); err != nil {
		t.Fatal(err)
	}
	top := &search{Inventory: Inventory{Root: dir}, library: new(Library)}
	top.top = top.place(nil, ".")
	here, err := top.place(top.place(top.top, "x"), "x/linked").open()
	if err != nil || !here.names["agents.md"] {
		t.Errorf("%v, %v", here.names, err)
	}
	for _, at := range top.places {
		at.tree.close()
	}
}

func TestPartsThatReadAtOnceKeepTheOrder(t *testing.T) {
	names := func(found *unit) (all []string) {
		for i := range found.files {
			all = append(all, found.files[i].Name+found.seen[i].path)
		}
		return append(all, fmt.Sprint(found.opened, len(found.problems)))
	}
	read := func(part *unit, i int) {
		part.files = append(part.files, File{Name: fmt.Sprint(i)})
		part.seen, part.opened = append(part.seen, seen{path: fmt.Sprint(i)}), part.opened+1
		part.problem("x", os.ErrInvalid)
	}
	for _, n := range []int{0, 1, fewest, 2*fewest + 1, 5 * fewest, 7*fewest + 3} {
		var one, many unit
		for i := range n {
			read(&one, i)
		}
		many.together(n, read)
		if !slices.Equal(names(&one), names(&many)) {
			t.Errorf("%d: %v", n, names(&many))
		}
	}
	defer func() {
		if reason := recover(); reason != "broken" {
			t.Errorf("%v", reason)
		}
	}()
	new(unit).together(10*fewest, func(_ *unit, i int) {
		if i == 10*fewest-1 {
			panic("broken")
		}
	})
}

// A name that came between two looks at a listed directory is seen.
func TestANameThatAppearsIsSeen(t *testing.T) {
	dir := repository(t, map[string]string{"AGENTS.md": "Rules.", ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nSteps."})
	library := later(time.Hour)
	for _, name := range []string{"CLAUDE.md", ".agents/skills/t/SKILL.md", ".github/copilot-instructions.md"} {
		library.Find(Query{Dir: dir})
		put(t, dir, map[string]string{name: "---\nname: t\ndescription: d\n---\nNew words."})
		if now := time.Now().Add(time.Minute); os.Chtimes(dir, now, now) != nil {
			t.Fatal("no time")
		}
		if found := library.Find(Query{Dir: dir}); !slices.ContainsFunc(found.Files, func(file File) bool { return file.Name == name }) {
			t.Errorf("%s is not seen", name)
		}
	}
}
