package gitdir

import (
	"path/filepath"
	"strings"
)

// todoLimit is the maximum number of bytes that are read from a list of rebase steps.
const todoLimit = 256 << 10

// execs returns the commands that an interrupted rebase will run when it continues. Any program
// that is allowed to commit can change git's list of these commands.
func (f Found) execs() (lines []string) {
	repository := f.Dir
	if repository == "" {
		return nil
	}
	for line := range strings.Lines(first(filepath.Join(repository, "rebase-merge", "git-rebase-todo"), todoLimit)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if rest = strings.TrimSpace(rest); (word == "exec" || word == "x") && rest != "" {
			lines = append(lines, rest)
		}
	}
	return lines
}

// NewExecs returns the commands that a rebase in progress will run, or nil if they are the same as
// in the previous call for dir. It uses the repository that [Pins.Check] recorded for dir.
func (p *Pins) NewExecs(dir string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := p.found[dir].execs()
	all := strings.Join(lines, "\n")
	if p.execs == nil {
		p.execs = map[string]string{}
	}
	if p.execs[dir] == all {
		return nil
	}
	p.execs[dir] = all
	return lines
}
