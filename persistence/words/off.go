package words

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Switch is one entry of not_read, with one or more words. It excludes the files that match all of
// these words. Excluded files are listed, but not sent to the model.
type Switch struct {
	Said  string // the user's spelling
	tests []func(file *File, dir string) bool
}

// programs is a map from words in not_read, such as "claude", to values of [Source.From].
var programs = map[string]string{
	"agents.md": "agents.md", "claude": "Claude Code", "cline": "Cline", "codex": "Codex", "copilot": "Copilot",
	"cursor": "Cursor", "gemini": "Gemini CLI", "marvin": "Marvin", "windsurf": "Windsurf",
}

// kinds is a map from words in not_read, such as "rules", to kinds of files.
var kinds = map[string][]Kind{
	"instructions": {Instructions}, "rules": {Rule, Sticky}, "skills": {Skill}, "commands": {Command}, "agents": {Agent},
	"system": {System, Addition}, "documents": {Document},
}

// owners is a map from words in not_read, such as "project", to tests that select files by owner.
var owners = map[string]func(*File) bool{
	"project": func(file *File) bool { return !file.Own },
	"own":     func(file *File) bool { return file.Own && file.From == "Marvin" },
	"home":    func(file *File) bool { return file.Own && file.From != "Marvin" },
}

// ParseOff parses one entry of not_read, such as "claude", "project commands", ".github",
// "skill:deploy-*" or "copilot in:~/clients". After "in:", "~" means the home directory.
func ParseOff(said, home string) (Switch, error) {
	off := Switch{Said: said}
	for _, word := range strings.Fields(said) {
		test, err := offTest(word, home)
		if err != nil {
			return Switch{}, fmt.Errorf("not_read: %q: %w", said, err)
		}
		off.tests = append(off.tests, test)
	}
	if len(off.tests) == 0 {
		return Switch{}, fmt.Errorf("an entry of \"not_read:\" is empty; remove it")
	}
	return off, nil
}

func offTest(word, home string) (func(*File, string) bool, error) {
	if program, ok := programs[word]; ok {
		return func(file *File, _ string) bool { return file.From == program }, nil
	}
	if of, ok := kinds[word]; ok {
		return func(file *File, _ string) bool { return slices.Contains(of, file.Kind) }, nil
	}
	if owner, ok := owners[word]; ok {
		return func(file *File, _ string) bool { return owner(file) }, nil
	}
	if within, ok := strings.CutPrefix(word, "in:"); ok {
		if below, atHome := strings.CutPrefix(within, "~"); atHome && home != "" && (below == "" || below[0] == '/') {
			within = home + below
		}
		if !filepath.IsAbs(within) {
			return nil, fmt.Errorf("\"in:\" needs a directory, such as in:~/clients")
		}
		return func(_ *File, dir string) bool { return isWithin(within, dir) }, nil
	}
	if kind, name, ok := strings.Cut(word, ":"); ok && slices.Contains([]Kind{Skill, Command, Agent}, Kind(kind)) {
		if _, err := path.Match(name, ""); err != nil || name == "" {
			return nil, fmt.Errorf("%q is no name", name)
		}
		return func(file *File, _ string) bool {
			matched, _ := path.Match(name, file.CallName()) // the pattern was validated above
			return file.Kind == Kind(kind) && matched
		}, nil
	}
	if strings.ContainsAny(word, "./*") && doublestar.ValidatePattern(word) {
		word = strings.Trim(strings.TrimPrefix(word, "./"), "/")
		return func(file *File, _ string) bool { return isNamed(word, file.Name) }, nil
	}
	return nil, fmt.Errorf("there is no source %q; the sources are %s, project, own, home, skill:NAME, command:NAME, agent:NAME, in:DIRECTORY, and paths such as .github or docs/*.md",
		word, strings.Join(slices.Concat(sorted(programs), sorted(kinds)), ", "))
}

func sorted[V any](of map[string]V) (keys []string) {
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// isNamed reports whether pattern matches one or more consecutive elements of a path, such as "b"
// or "a/b" in "a/b/c".
func isNamed(pattern, name string) bool {
	for {
		for at := name; at != "." && at != "/" && at != ""; at = path.Dir(at) {
			if matched, err := doublestar.Match(pattern, at); err == nil && matched {
				return true
			}
		}
		_, rest, below := strings.Cut(name, "/")
		if !below {
			return false
		}
		name = rest
	}
}

func isWithin(dir, path string) bool {
	for _, dir := range []string{dir, unlinked(dir)} {
		for _, path := range []string{path, unlinked(path)} {
			if below, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(below) {
				return true
			}
		}
	}
	return false
}

func unlinked(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// NotRead returns the entries of not_read. It is called on each turn, so that a change to the
// configuration file takes effect on the next turn. If the configuration file is invalid, NotRead
// returns the previous entries and an error.
type NotRead func() ([]Switch, error)

func (l *Library) switchedOff() (off []Switch, problems []error) {
	if l.NotRead == nil {
		return l.Off, nil
	}
	off, err := l.NotRead()
	if err != nil {
		problems = append(problems, err)
	}
	return off, problems
}

// SwitchedOffBy returns the first not_read entry that excludes the file. dir is the conversation's
// working directory.
func (i Inventory) SwitchedOffBy(file *File, dir string) (said string, off bool) {
	for _, entry := range i.off {
		if !slices.ContainsFunc(entry.tests, func(test func(*File, string) bool) bool { return !test(file, dir) }) {
			return entry.Said, true
		}
	}
	return "", false
}

// isSwitchedOff reports whether not_read excludes an imported file.
func (s *search) isSwitchedOff(name string) bool {
	for _, file := range s.Files {
		if file.Name == name && file.State == SwitchedOff {
			return true
		}
	}
	_, off := s.SwitchedOffBy(&File{Name: name}, s.query.Dir)
	return off
}
