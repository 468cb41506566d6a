package words

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnknownSourceIsRefused(t *testing.T) {
	for said, want := range map[string]string{
		"":                 "an entry of \"not_read:\" is empty; remove it",
		"nobody":           `there is no source "nobody"; the sources are agents.md, claude,`,
		"skill:":           `"" is no name`,
		"skill:[":          `"[" is no name`,
		"rule:x":           `there is no source "rule:x"`,
		"in:relative":      "\"in:\" needs a directory, such as in:~/clients",
		"in:~elsewhere":    `"in:" needs a directory`,
		"project nobody":   `there is no source "nobody"`,
		"docs/[.md":        `there is no source "docs/[.md"`,
		"command:a b":      `there is no source "b"`,
		"claude in:":       `"in:" needs a directory`,
		"project:commands": `there is no source "project:commands"`,
	} {
		if _, err := ParseOff(said, "/home/me"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", said, err, want)
		}
	}
	for _, said := range []string{"in:~", "in:~/x", "in:/", "skill:*", "command:git:*", "agent:critic", "./docs", "docs/", "*.md", "project claude skills", " claude "} {
		if _, err := ParseOff(said, "/home/me"); err != nil {
			t.Errorf("%q: %v", said, err)
		}
	}
}

func TestFilesBesideSkill(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"SKILL.md": "x", "more.md": "more", "empty.md": "", "deep/a.md": "a", ".hidden": "h", "long.md": strings.Repeat("x", fileBytes+7), "exact.md": strings.Repeat("x", fileBytes),
	})
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "out.md")); err != nil {
		t.Fatal(err)
	}
	skill := File{Kind: Skill, Path: filepath.Join(dir, "SKILL.md"), Head: Head{Name: "brew"}}
	if parts := strings.Join(skill.Parts(), " "); parts != "deep/a.md empty.md exact.md long.md more.md" {
		t.Errorf("it has %s", parts)
	}
	for name, want := range map[string]string{"more.md": "more", "./deep/../more.md": "more", "deep/a.md": "a"} {
		if text, err := skill.ReadBeside(name); err != nil || text != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if text, err := skill.ReadBeside("exact.md"); err != nil || len(text) != fileBytes {
		t.Errorf("one of exactly the bound: %d bytes, %v", len(text), err)
	}
	if text, err := skill.ReadBeside("long.md"); err != nil || !strings.HasSuffix(text, "x\n[… 7 more bytes]") {
		t.Errorf("one beyond it ends with %q, %v", text[len(text)-30:], err)
	}
	for name, want := range map[string]string{
		"../x": "../x is not in the skill brew; give the path of a file inside the skill's directory", "/etc/hostname": "is not in the skill brew", "": "is not in the skill brew",
		"none.md": "the skill brew has no file none.md; it has deep/a.md, empty.md, exact.md, long.md, more.md", "empty.md": "has no file empty.md", "out.md": "the skill brew: ", "deep": "the skill brew",
	} {
		if text, err := skill.ReadBeside(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	gone := File{Kind: Skill, Path: filepath.Join(dir, "none", "SKILL.md")}
	if _, err := gone.ReadBeside("x"); err == nil || gone.Parts() != nil {
		t.Errorf("one that is gone: %v, %v", gone.Parts(), err)
	}
}

func TestLinkToNothingIsReported(t *testing.T) {
	for _, name := range []string{".config/marvin/RULES.md", ".config/marvin/SYSTEM.md", ".config/marvin/APPEND_SYSTEM.md", ".config/marvin/AGENTS.md", ".config/marvin", "project/AGENTS.md", "project/.marvin", "project/.marvin/rules"} {
		home := t.TempDir()
		path := filepath.Join(home, name)
		put(t, home, map[string]string{"project/x": "x", ".config/other": "x"})
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink("nowhere", path)); err != nil {
			t.Fatal(err)
		}
		found := Find(Query{Dir: filepath.Join(home, "project"), Home: home, Config: filepath.Join(home, ".config/marvin"), Coding: true})
		if err := found.Problem(); err == nil || !strings.Contains(err.Error(), path+": it is a symbolic link to a missing file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
