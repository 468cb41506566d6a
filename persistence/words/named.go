package words

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// This file handles files that users and models request by name: skills, commands and agent
// definitions.

// folders contains the folders of skills, commands and agent definitions, relative to a searched
// directory. If two folders contain files with the same name, the later folder in the list wins.
var folders = []Source{
	{Name: ".github/skills", From: "Copilot", Kind: Skill},
	{Name: ".agents/skills", From: "agents.md", Kind: Skill},
	{Name: ".claude/skills", From: "Claude Code", Kind: Skill},
	{Name: ".marvin/skills", From: "Marvin", Kind: Skill},
	{Name: ".claude/commands", From: "Claude Code", Kind: Command, Deep: true},
	{Name: ".marvin/commands", From: "Marvin", Kind: Command, Deep: true},
	{Name: ".claude/agents", From: "Claude Code", Kind: Agent},
	{Name: ".marvin/agents", From: "Marvin", Kind: Agent},
}

var ownFolders = []Source{
	{Name: "skills", From: "Marvin", Kind: Skill},
	{Name: "commands", From: "Marvin", Kind: Command, Deep: true},
	{Name: "agents", From: "Marvin", Kind: Agent},
}

// homeFolders lists other programs' folders in the home directory. Only coding mode uses these
// folders.
var homeFolders = []Source{
	{Name: ".agents/skills", From: "agents.md", Kind: Skill},
	{Name: ".claude/skills", From: "Claude Code", Kind: Skill},
	{Name: ".claude/commands", From: "Claude Code", Kind: Command, Deep: true},
	{Name: ".claude/agents", From: "Claude Code", Kind: Agent},
}

// mostNamed limits the number of files in one folder, and nameLength limits the length of a name.
const (
	mostNamed  = 500
	nameLength = 64
)

// wellNamed reports whether a name is easy to type: a letter or digit, followed by letters, digits
// and the characters ".", "_", ":" and "-".
func wellNamed(name string) bool {
	for at, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (at == 0 || !strings.ContainsRune("._:-", r)) {
			return false
		}
	}
	return name != ""
}

// skillsBelow returns the path of SKILL.md in each subdirectory of a folder. The files need not
// exist.
func skillsBelow(from tree) (names []string, err error) {
	open, err := from.directory(".")
	if open == nil {
		return nil, err
	}
	defer open.Close()
	below, err := open.Readdirnames(mostNamed) // plain files are skipped later
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.Sort(below)
	for _, name := range below {
		if !strings.HasPrefix(name, ".") {
			names = append(names, name+"/SKILL.md")
		}
	}
	return names, err
}

// fillHead completes the front matter and validates it. The given path is relative to the file's
// source folder.
func (f *File) fillHead(name string) {
	switch f.Kind {
	case Skill:
		f.Head.Name = cmp.Or(f.Head.Name, path.Dir(name))
	case Command: // git/commit.md becomes git:commit
		f.Head.Name = strings.ReplaceAll(strings.TrimSuffix(name, ".md"), "/", ":")
	case Agent:
		f.Head.Name = cmp.Or(f.Head.Name, strings.TrimSuffix(path.Base(name), ".md"))
	}
	if f.Head.Description == "" && f.Kind == Command {
		f.Head.Description = firstLine(f.Text)
	}
	switch {
	case len(f.Head.Name) > nameLength || !wellNamed(f.Head.Name):
		f.State, f.Why = LeftOut, fmt.Sprintf("%q is not a name: use at most %[2]d letters, digits, - and _", f.Head.Name, nameLength)
	case f.Kind == Skill && f.Head.Description == "":
		f.Why = "it has no description, so a model cannot know when to read it"
	case f.Kind == Agent && f.Head.Description == "":
		f.State, f.Why = LeftOut, "it has no description"
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(strings.TrimLeft(line, "# "))
	if runes := []rune(line); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return line
}

// clashes gives a file the state Shadowed if another file of the same kind has the same name,
// ignoring case. The user's own file wins over a file of the project. A file in a subdirectory wins
// over a file in a parent directory. Within a directory, the last file wins. Marvin's own commands
// win over all command files.
func (s *search) clashes() {
	best := map[string]int{}
	for i := range s.Files {
		file := &s.Files[i]
		if file.Kind != Skill && file.Kind != Command && file.Kind != Agent || file.State != Loaded {
			continue
		}
		if file.Kind == Command && s.library.Taken != nil && s.library.Taken(file.Head.Name) {
			file.State, file.Why = Shadowed, "Marvin's own command of that name takes precedence"
			continue
		}
		key := string(file.Kind) + " " + strings.ToLower(file.Head.Name)
		before, there := best[key]
		if !there {
			best[key] = i
			continue
		}
		loser, winner := before, i
		if s.Files[before].Own && !file.Own {
			loser, winner = i, before
		}
		s.Files[loser].State, s.Files[loser].Why = Shadowed, "by "+s.Files[winner].Name+", which has the same name"
		best[key] = winner
	}
}

// ReadBeside returns the text of another file in a skill's directory. It refuses paths that lead
// out of this directory.
func (f File) ReadBeside(name string) (string, error) {
	root, err := os.OpenRoot(filepath.Dir(f.Path))
	if err != nil {
		return "", err
	}
	defer root.Close()
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fmt.Errorf("%s is not in the skill %s; give the path of a file inside the skill's directory", name, f.Head.Name)
	}
	text, cut, err := read(tree{root: root}, path.Clean(name), fileBytes)
	switch {
	case err != nil:
		return "", fmt.Errorf("the skill %s: %w", f.Head.Name, err)
	case text == "":
		return "", fmt.Errorf("the skill %s has no file %s; it has %s", f.Head.Name, name, strings.Join(f.Parts(), ", "))
	case cut > 0:
		text += fmt.Sprintf("\n[… %d more bytes]", cut)
	}
	return text, nil
}

// Parts returns the names of the files in a skill's directory except SKILL.md.
func (f File) Parts() (names []string) {
	root, err := os.OpenRoot(filepath.Dir(f.Path))
	if err != nil {
		return nil
	}
	defer root.Close()
	var walk func(dir string, deep int)
	walk = func(dir string, deep int) {
		entries, _ := entriesOf(tree{root: root}, dir, mostRules)
		for _, entry := range entries {
			name := path.Join(dir, entry.Name())
			switch {
			case strings.HasPrefix(entry.Name(), "."), name == "SKILL.md", len(names) >= 50:
			case entry.IsDir() && deep > 0:
				walk(name, deep-1)
			case entry.Type().IsRegular():
				names = append(names, name)
			}
		}
	}
	walk(".", 3)
	return names
}

// entriesOf returns the sorted entries of a directory. A missing directory has no entries.
func entriesOf(from tree, dir string, most int) (entries []os.DirEntry, err error) {
	open, err := from.directory(dir)
	if open == nil {
		return nil, err
	}
	defer open.Close()
	entries, err = open.ReadDir(most)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
