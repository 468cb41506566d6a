package words

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFullDirectoryHasItsInstructions(t *testing.T) {
	files := map[string]string{"AGENTS.md": "Rules of a full directory.", ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nSteps."}
	for i := range 500 {
		files[fmt.Sprintf("data-%d", i)] = "x"
	}
	dir := repository(t, files)
	found := look(t, dir)
	if !strings.Contains(told(found), "Rules of a full directory.") || len(found.Of(Skill)) != 1 {
		t.Errorf("%q, %d skills", told(found), len(found.Of(Skill)))
	}
}

// A folder without skills is no error.
func TestAFolderOfSkillsMayBeEmpty(t *testing.T) {
	dir := repository(t, map[string]string{"AGENTS.md": "Rules."})
	if err := os.MkdirAll(filepath.Join(dir, ".claude/skills"), 0o755); err != nil {
		t.Fatal(err)
	}
	if found := look(t, dir); len(found.Problems) > 0 || len(found.Of(Skill)) != 0 || !strings.Contains(told(found), "Rules.") {
		t.Errorf("%q, %q", told(found), found.Problems)
	}
}

// If a searched directory is a link to another place in the repository, it is opened from the root.
func TestALinkedDirectoryCountsInItsRepository(t *testing.T) {
	dir := repository(t, map[string]string{"real/AGENTS.md": "Rules of the real one.", "x/y.go": "package x"})
	if err := os.Symlink("../real", filepath.Join(dir, "x/linked")); err != nil {
		t.Fatal(err)
	}
	top := &search{Inventory: Inventory{Root: dir}, library: new(Library)}
	top.top = top.place(nil, ".")
	here, err := top.place(top.place(top.top, "x"), "x/linked").open()
	if text, _, wrong := read(here, "AGENTS.md", fileBytes); err != nil || wrong != nil || text == "" {
		t.Errorf("%q, %v, %v", text, err, wrong)
	}
	for _, at := range top.places {
		at.tree.close()
	}
}
