package gitdir

import (
	"path/filepath"
	"strings"
)

// todoLimit is the maximum number of bytes that are read from a list of rebase steps.
const todoLimit = 256 << 10

// execs returns the command lines that a rebase in progress will run when it continues. They come
// from a file in the repository. Any command that may commit can write to this file.
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

// NewExecs returns the command lines of a rebase in progress, or nil if the lines are the same as
// at the last call. It examines the repository that the last [Pins.Check] of dir found.
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
