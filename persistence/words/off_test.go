package words

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// everySource creates a project with a file of each kind.
func everySource(t *testing.T) (dir, home string) {
	home = t.TempDir()
	put(t, home, map[string]string{
		".config/marvin/AGENTS.md": "own", ".config/marvin/skills/mine/SKILL.md": "---\ndescription: d\n---\n", ".claude/commands/c.md": "home",
		".config/marvin/SYSTEM.md": "own system",
	})
	return repository(t, map[string]string{
		"AGENTS.md": "agents @CLAUDE.md @docs/style.md", "CLAUDE.md": "claude", "GEMINI.md": "gemini", ".cursorrules": "cursor", "docs/style.md": "style",
		".github/copilot-instructions.md": "copilot", ".github/instructions/x.instructions.md": "---\napplyTo: '**'\n---\nx",
		".claude/commands/deploy.md": "deploy", ".marvin/commands/look.md": "look", ".claude/skills/db-one/SKILL.md": "---\ndescription: d\n---\n",
		".marvin/RULES.md": "sticky", "sub/CLAUDE.md": "below", ".marvin/APPEND_SYSTEM.md": "added",
	}), home
}

func TestSourcesAreSwitchedOff(t *testing.T) {
	dir, home := everySource(t)
	for said, want := range map[string][]string{
		"claude":                {"~/.claude/commands/c.md", "CLAUDE.md", "sub/CLAUDE.md", ".claude/skills/db-one/SKILL.md", ".claude/commands/deploy.md"},
		"project commands":      {".claude/commands/deploy.md", ".marvin/commands/look.md"},
		"home":                  {"~/.claude/commands/c.md"},
		"own skills":            {"~/.config/marvin/skills/mine/SKILL.md"},
		".github":               {".github/copilot-instructions.md", ".github/instructions/x.instructions.md"},
		"sub/CLAUDE.md":         {"sub/CLAUDE.md"},
		"CLAUDE.md":             {"CLAUDE.md", "sub/CLAUDE.md"},
		"skill:db-*":            {".claude/skills/db-one/SKILL.md"},
		"rules":                 {".github/instructions/x.instructions.md", ".marvin/RULES.md"},
		"project system":        {".marvin/APPEND_SYSTEM.md"},
		"**/*.instructions.md":  {".github/instructions/x.instructions.md"},
		"gemini in:~/elsewhere": nil,
		"copilot in:" + dir:     {".github/copilot-instructions.md", ".github/instructions/x.instructions.md"},
	} {
		off, err := ParseOff(said, home)
		if err != nil {
			t.Error(err)
			continue
		}
		library := Library{Off: []Switch{off}}
		var switched []string
		for _, file := range library.Find(Query{Dir: filepath.Join(dir, "sub"), Home: home, Config: filepath.Join(home, ".config/marvin"), Coding: true}).Files {
			if file.State == SwitchedOff {
				switched = append(switched, file.Name)
				if !strings.Contains(file.Why, said) || file.Used() {
					t.Errorf("%s: %s is %s: %s", said, file.Name, file.State, file.Why)
				}
			}
		}
		slices.Sort(switched)
		slices.Sort(want)
		if !slices.Equal(switched, want) {
			t.Errorf("%s: %q, want %q", said, switched, want)
		}
	}
}

func TestOneFileOfOtherProgramsAtHomeCounts(t *testing.T) {
	others := map[string]string{".claude/CLAUDE.md": "c", ".codex/AGENTS.md": "x", ".gemini/GEMINI.md": "g"}
	for own, want := range map[string][]string{
		"":                         {"~/.claude/CLAUDE.md loaded ", "~/.codex/AGENTS.md shadowed by ~/.claude/CLAUDE.md, because only one of your own instruction files applies", "~/.gemini/GEMINI.md shadowed by ~/.claude/CLAUDE.md, because only one of your own instruction files applies"},
		".config/marvin/AGENTS.md": {"~/.config/marvin/AGENTS.md loaded ", "~/.claude/CLAUDE.md shadowed by ~/.config/marvin/AGENTS.md, because only one of your own instruction files applies", "~/.codex/AGENTS.md shadowed by ~/.config/marvin/AGENTS.md, because only one of your own instruction files applies", "~/.gemini/GEMINI.md shadowed by ~/.config/marvin/AGENTS.md, because only one of your own instruction files applies"},
	} {
		home := t.TempDir()
		put(t, home, others)
		if own != "" {
			put(t, home, map[string]string{own: "own"})
		}
		var got []string
		for _, file := range Find(Query{Dir: repository(t, nil), Home: home, Config: filepath.Join(home, ".config/marvin"), Coding: true}).Files {
			got = append(got, fmt.Sprintf("%s %s %s", file.Name, file.State, file.Why))
		}
		if !slices.Equal(got, want) {
			t.Errorf("beside %q: %q", own, got)
		}
	}
}

func TestDisabledInstructionsAreHidden(t *testing.T) {
	dir, home := everySource(t)
	var library Library
	for _, said := range []string{"claude", "agents.md", "copilot", "style.md"} {
		off, err := ParseOff(said, home)
		if err != nil {
			t.Fatal(err)
		}
		library.Off = append(library.Off, off)
	}
	found := library.Find(Query{Dir: dir, Coding: true})
	if text := told(found); strings.Contains(text, "claude") || strings.Contains(text, "copilot") || !strings.Contains(text, "gemini") {
		t.Errorf("%q", text)
	}
	library.Off = slices.Delete(library.Off, 1, 2) // AGENTS.md counts, and imports what is off
	found = library.Find(Query{Dir: dir, Coding: true})
	for _, file := range found.Files {
		if file.Name == "AGENTS.md" && (file.Text != "agents @CLAUDE.md @docs/style.md" || len(file.Omitted) != 2) {
			t.Errorf("%q, %q", file.Text, file.Omitted)
		}
	}
	if _, there := found.ByName(Command, "deploy"); there {
		t.Error("a command that is off is found")
	}
}

func TestWrongEntriesOfNotReadAreReported(t *testing.T) {
	for said, want := range map[string]string{"claud": "the sources are", "": "empty", "in:here": "in:~/clients", "skill:[": "no name", "skill:": "no name"} {
		if _, err := ParseOff(said, "/home/me"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", said, err)
		}
	}
}

func TestSystemTextsOfOthers(t *testing.T) {
	home := t.TempDir()
	dir := repository(t, map[string]string{".marvin/SYSTEM.md": "outer", "sub/.marvin/SYSTEM.md": "inner {{cwd}}", ".marvin/APPEND_SYSTEM.md": "added", "below/x/.marvin/SYSTEM.md": "no"})
	query := Query{Dir: filepath.Join(dir, "sub"), Home: home, Config: home, Coding: true, Touched: []string{filepath.Join(dir, "below/x/y.go")}}
	states := func() (all []string) {
		for _, file := range Find(query).Of(System, Addition) {
			all = append(all, file.Name+" "+string(file.State))
		}
		return all
	}
	if got := states(); !slices.Equal(got, []string{".marvin/SYSTEM.md shadowed", ".marvin/APPEND_SYSTEM.md loaded", "sub/.marvin/SYSTEM.md loaded", "below/x/.marvin/SYSTEM.md left out"}) {
		t.Errorf("%q", got)
	}
	put(t, home, map[string]string{"SYSTEM.md": "mine", "APPEND_SYSTEM.md": "mine too"})
	if got := states(); !slices.Equal(got, []string{"~/SYSTEM.md loaded", "~/APPEND_SYSTEM.md loaded", ".marvin/SYSTEM.md shadowed", ".marvin/APPEND_SYSTEM.md loaded", "sub/.marvin/SYSTEM.md shadowed", "below/x/.marvin/SYSTEM.md left out"}) {
		t.Errorf("%q", got)
	}
}

func TestNotReadIsReadAgainWhenItsFileChanged(t *testing.T) {
	dir, home := everySource(t)
	put(t, home, map[string]string{"config.yaml": "claude"})
	settings := filepath.Join(home, "config.yaml")
	library := &Library{NotRead: func() ([]Switch, error) {
		said, err := os.ReadFile(settings)
		if err != nil {
			return nil, err
		}
		off, err := ParseOff(string(said), home)
		return []Switch{off}, err
	}}
	query := Query{Dir: dir, Coding: true}
	if text := told(library.Find(query)); strings.Contains(text, "claude") || !strings.Contains(text, "copilot") {
		t.Errorf("%q", text)
	}
	put(t, home, map[string]string{"config.yaml": "copilot"})
	if text := told(library.Find(query)); !strings.Contains(text, "claude") || strings.Contains(text, "copilot") {
		t.Errorf("after a change: %q", text)
	}
}
