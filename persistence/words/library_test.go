package words

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCacheMatchesDisk(t *testing.T) {
	dir := repository(t, map[string]string{
		"AGENTS.md": "Rules.\n@docs/a.md\n@docs/missing.md", "docs/a.md": "a\n@b.md", "docs/b.md": "b", "sub/x.go": "package x",
		".claude/rules/one.md": "A rule.", ".claude/skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nSteps.", ".marvin/notes/n.md": "n",
	})
	home := t.TempDir()
	put(t, home, map[string]string{".config/marvin/AGENTS.md": "Mine. @more.md", ".config/marvin/more.md": "more"})
	query := Query{Dir: filepath.Join(dir, "sub"), Home: home, Config: filepath.Join(home, ".config/marvin"), Coding: true}
	library := later(time.Hour)
	now := time.Now().Add(-24 * time.Hour)
	write := func(name, text string) {
		t.Helper()
		put(t, dir, map[string]string{name: text})
		now = now.Add(time.Second) // the clock of the disk has moved on, whatever its steps are
		if err := os.Chtimes(filepath.Join(dir, name), now, now); err != nil {
			t.Fatal(err)
		}
	}
	link := func(name, to string) {
		t.Helper()
		_ = os.Remove(filepath.Join(dir, name)) // it may not be there
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(home, "outside.md")
	put(t, home, map[string]string{"outside.md": "the-secret"})
	for _, step := range []struct {
		what string
		do   func()
	}{
		{"nothing", func() {}},
		{"a file", func() { write("AGENTS.md", "Other rules.\n@docs/a.md\n@docs/missing.md") }},
		{"an import of an import", func() { write("docs/b.md", "c") }},
		{"a missing import comes", func() { write("docs/missing.md", "here now") }},
		{"a name comes", func() { write("CLAUDE.md", "For Claude.") }},
		{"it goes", func() { remove("CLAUDE.md") }},
		{"a name comes in a level below", func() { write("sub/AGENTS.md", "Below.") }},
		{"a directory of it comes", func() { write("sub/.github/copilot-instructions.md", "For Copilot.") }},
		{"a file comes to a directory of it", func() { write("sub/.github/instructions/x.instructions.md", "---\napplyTo: '**'\n---\nAll.") }},
		{"a rule comes", func() { write(".claude/rules/deep/two.md", "Another rule.") }},
		{"a rule goes", func() { remove(".claude/rules/one.md") }},
		{"a skill changes", func() { write(".claude/skills/s/SKILL.md", "---\nname: s\ndescription: other\n---\nSteps.") }},
		{"a skill comes", func() { write(".claude/skills/t/SKILL.md", "---\nname: t\ndescription: t\n---\n") }},
		{"a skill is there that was an empty directory", func() {
			write(".claude/skills/u/x", "")
			library.Find(query)
			write(".claude/skills/u/SKILL.md", "---\ndescription: u\n---\nx")
		}},
		{"a command comes", func() { write("sub/.marvin/commands/git/look.md", "Look.") }},
		{"an empty file fills", func() { write("GEMINI.md", ""); library.Find(query); write("GEMINI.md", "x") }},
		{"another file of the same size and time", func() {
			write("other.md", "y")
			_ = os.Chtimes(filepath.Join(dir, "other.md"), now, now)
			move("other.md", "GEMINI.md")
		}},
		{"a link leads out", func() { link("docs/b.md", outside) }},
		{"a directory leads out", func() { move("docs", "docs2"); link("docs", home) }},
		{"a directory becomes another", func() { remove("docs"); move("docs2", "docs"); link("docs/b.md", "missing.md") }},
		{"own words", func() { put(t, home, map[string]string{".config/marvin/more.md": "other more"}) }},
		{"own rules", func() { put(t, home, map[string]string{".config/marvin/rules/r.md": "R."}) }},
		{"a file of the same time", func() {
			write("AGENTS.md", "Rules of one kind.")
			library.Find(query)
			put(t, dir, map[string]string{"AGENTS.md": "Rules of two kind."})
			if err := os.Chtimes(filepath.Join(dir, "AGENTS.md"), now, now); err != nil {
				t.Fatal(err)
			}
		}},
		{"the repository is another one", func() { put(t, dir, map[string]string{"sub/.git/HEAD": "x"}) }},
	} {
		step.do()
		kept, there := library.Find(query), Find(query)
		if text := told(kept); strings.Contains(text, "the-secret") {
			t.Errorf("%s: it tells what lies outside: %q", step.what, text)
		}
		if !reflect.DeepEqual(plain(kept), plain(there)) {
			t.Errorf("%s:\nkept %q\nthere %q", step.what, plain(kept), plain(there))
		}
	}
}

// plain is what is found, to compare.
func plain(found Inventory) (all []string) {
	for _, file := range found.Files {
		all = append(all, fmt.Sprint(file.Kind, file.Name, file.State, file.Why, file.Text, file.Imports, file.Omitted, file.Head.Name, file.Head.Description, file.Hash()))
	}
	return append(all, fmt.Sprint(found.Problem(), found.Root, found.Below))
}

// A turn in which nothing changed opens nothing, also in another directory below the same root.
func TestUnchangedFilesAreNotReread(t *testing.T) {
	root, dir := large(t)
	library := later(time.Hour)
	library.Find(Query{Dir: dir, Coding: true})
	first := library.read
	if first < 340 {
		t.Fatalf("only %d were read", first)
	}
	for range 3 {
		library.Find(Query{Dir: dir, Coding: true, Prompt: "another", Touched: []string{filepath.Join(dir, "x.go")}})
	}
	if library.read != first {
		t.Errorf("%d more were read of what did not change", library.read-first)
	}
	put(t, root, map[string]string{"build.log": "a working directory changes all the time"})
	library.Find(Query{Dir: dir, Coding: true})
	if library.read != first {
		t.Errorf("%d were read because of a file that is no words", library.read-first)
	}
	put(t, root, map[string]string{"AGENTS.md": "Changed."})
	if found := library.Find(Query{Dir: dir, Coding: true}); !strings.Contains(told(found), "Changed.") || library.read > first+10 {
		t.Errorf("%d were read for one file", library.read-first)
	}
}

func TestRecentlyChangedFileIsReread(t *testing.T) {
	dir := repository(t, map[string]string{"AGENTS.md": "Rules."})
	library := later(0)
	library.Find(Query{Dir: dir})
	first := library.read
	if library.Find(Query{Dir: dir}); library.read == first {
		t.Error("it was kept within the moment in which it was written")
	}
	clockless := &Library{}
	clockless.Find(Query{Dir: dir})
	if len(clockless.kept) != 0 {
		t.Error("without a clock it cannot be known")
	}
}

// A file in .marvin or .claude belongs to the directory above. It is loaded once, also after a
// call touched a neighbor, after the conversation already had it, and for a working directory
// inside: twice would waste the others' space.
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
