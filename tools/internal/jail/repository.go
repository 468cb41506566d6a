package jail

import (
	"os"
	"path/filepath"
	"strings"
)

// absence is something that is made while commands run, so that they cannot make it.
type absence struct {
	path    string
	content string // of a file; "" means an empty directory
}

// guardRepository protects what makes git run programs, and grants the repository
// that holds the root, so that git commit works in a subdirectory and in a worktree.
func (j *Jail) guardRepository(root string) {
	if isRepository(root) { // a bare one, or the inside of .git
		j.guard(root)
	}
	found, isFile := repositoryOf(root)
	j.repository = found != ""
	if git := filepath.Join(root, ".git"); found != git { // git looks there first
		j.absent = append(j.absent, absence{path: git})
		j.plan.Protect = append(j.plan.Protect, git)
	}
	switch {
	case found == "":
	case isFile:
		j.guardWorktree(root, found)
	default:
		if !within(found, root) {
			j.plan.Write = append(j.plan.Write, found)
		}
		j.guard(found)
	}
}

// guard protects a directory of git.
func (j *Jail) guard(git string) {
	p := &j.plan
	p.Pin = append(p.Pin, git)
	config, _ := os.ReadFile(filepath.Join(git, "config")) // a repository without one has nothing to lose
	for _, each := range []struct{ name, content string }{
		{"hooks", ""},
		{"config", "\n"},
		// Saying that the common directory is this one is what its absence means.
		{"commondir", ".\n"},
	} {
		j.protect(filepath.Join(git, each.name), each.content)
	}
	if strings.Contains(strings.ToLower(string(config)), "worktreeconfig") {
		j.protect(filepath.Join(git, "config.worktree"), "\n")
	}
	// The configurations of submodules and worktrees. To work on those, start there.
	for _, name := range []string{"modules", "worktrees"} {
		if path := filepath.Join(git, name); exists(path) {
			p.Protect = append(p.Protect, path)
		}
	}
}

// guardWorktree grants the two directories of a linked worktree, or the one of a
// submodule, if they say themselves that this is theirs: a .git file alone could point
// anywhere.
func (j *Jail) guardWorktree(root, file string) {
	p := &j.plan
	p.Protect = append(p.Protect, file)
	content, _ := os.ReadFile(file)
	private, ok := strings.CutPrefix(strings.TrimSpace(string(content)), "gitdir: ")
	if !ok {
		return
	}
	private = resolveFrom(filepath.Dir(file), private)
	if isRepository(private) && worktreeOf(private) == filepath.Dir(file) { // a submodule
		p.Write = append(p.Write, private)
		j.guard(private)
		return
	}
	back, _ := os.ReadFile(filepath.Join(private, "gitdir"))
	if resolveFrom(private, strings.TrimSpace(string(back))) != file {
		return
	}
	common := filepath.Dir(filepath.Dir(private))
	if filepath.Join(common, "worktrees", filepath.Base(private)) != private || !isRepository(common) {
		return
	}
	p.Write = append(p.Write, common)
	j.guard(common)
	p.Protect = withoutPath(p.Protect, filepath.Join(common, "worktrees"))
	p.Pin = append(p.Pin, private)
	others, _ := os.ReadDir(filepath.Join(common, "worktrees"))
	for _, other := range others {
		if path := filepath.Join(common, "worktrees", other.Name()); path != private {
			p.Protect = append(p.Protect, path)
		}
	}
	for _, name := range []string{"commondir", "gitdir"} {
		p.Protect = append(p.Protect, filepath.Join(private, name))
	}
	j.protect(filepath.Join(private, "config.worktree"), "\n")
}

// worktreeOf is where the configuration of a repository says that its files are; that of
// a submodule does. "" means that it says nothing.
func worktreeOf(git string) string {
	config, _ := os.ReadFile(filepath.Join(git, "config"))
	for line := range strings.Lines(string(config)) {
		if name, path, ok := strings.Cut(line, "="); ok && strings.EqualFold(strings.TrimSpace(name), "worktree") {
			return resolveFrom(git, strings.TrimSpace(path))
		}
	}
	return ""
}

// protect makes a path read-only, and has it made while it does not exist.
func (j *Jail) protect(path, content string) {
	j.plan.Protect = append(j.plan.Protect, path)
	if !exists(path) {
		j.absent = append(j.absent, absence{path: path, content: content})
	}
}

// repositoryOf is the .git that git uses in dir: a directory that is a repository, or
// a file in the top of a worktree. "" means none.
func repositoryOf(dir string) (path string, isFile bool) {
	for {
		git := filepath.Join(dir, ".git")
		info, err := os.Lstat(git)
		switch {
		case err == nil && info.IsDir() && isRepository(git):
			return git, false
		case err == nil && info.Mode().IsRegular():
			return git, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

func hasRepository(root string) bool {
	found, _ := repositoryOf(root)
	return found != ""
}

// isRepository asks what git asks.
func isRepository(git string) bool {
	return exists(filepath.Join(git, "HEAD")) && exists(filepath.Join(git, "objects")) && exists(filepath.Join(git, "refs"))
}

// resolveFrom resolves what a file of git says, relative to where it stands.
func resolveFrom(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return resolved
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func withoutPath(paths []string, drop string) []string {
	var kept []string
	for _, path := range paths {
		if path != drop {
			kept = append(kept, path)
		}
	}
	return kept
}
