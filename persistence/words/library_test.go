package words

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A file in .marvin or .claude belongs to the directory above. It is loaded only once, also after a
// call touched a neighboring file, if the conversation already has it, and for a working directory
// inside. A second copy would waste space.
func TestAFileInADirectoryOfSettingsIsThereOnce(t *testing.T) {
	root := repository(t, map[string]string{
		"AGENTS.md": "mark-root", ".marvin/AGENTS.md": "mark-marvin", ".claude/CLAUDE.md": "mark-claude", "sub/.marvin/AGENTS.md": "mark-sub", "sub/x.go": "x", ".marvin/spec.md": "x",
	})
	want := []string{".claude/CLAUDE.md loaded", "AGENTS.md loaded", ".marvin/AGENTS.md loaded"}
	for name, query := range map[string]Query{
		"at first":      {Dir: root},
		"told":          {Dir: root, Arrived: []string{".claude/CLAUDE.md", "AGENTS.md", ".marvin/AGENTS.md"}},
		"touched":       {Dir: root, Touched: []string{filepath.Join(root, ".marvin", "spec.md"), filepath.Join(root, ".claude", "new.md")}},
		"in there":      {Dir: filepath.Join(root, ".marvin")},
		"below":         {Dir: root, Touched: []string{filepath.Join(root, "sub", "x.go")}, Arrived: []string{"sub/.marvin/AGENTS.md"}},
		"told of below": {Dir: root, Arrived: []string{"sub/.marvin/AGENTS.md"}},
	} {
		var got []string
		for _, file := range Find(query).Of(Instructions) {
			got = append(got, file.Name+" "+string(file.State))
		}
		expected := want
		if strings.HasSuffix(name, "below") {
			expected = append(slices.Clip(want), "sub/.marvin/AGENTS.md loaded")
		}
		if !slices.Equal(got, expected) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
