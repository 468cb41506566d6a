package jail

import (
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/gitwatch"
	"marvin/tools/internal/jail/internal/placeholder"
)

// guardRepository protects what makes git run programs, and grants the repository
// that holds the root, so that git commit works in a subdirectory and in a worktree.
func (j *Jail) guardRepository(root string) {
	found, isFile := repositoryOf(root)
	j.repository = found != ""
	if !isFile && found != "" && !disk.Within(found, root) {
		add(&j.plan.Write, found)
	}
	if gitwatch.IsRepository(root) { // a bare one, or the inside of .git
		j.guard(root)
	}
	if git := filepath.Join(root, ".git"); found != git { // git looks there first
		j.keepAbsent(placeholder.Absence{Path: git})
	}
	switch {
	case found == "":
	case isFile:
		j.guardWorktree(root, found)
	default:
		j.guard(found)
		j.trees = append(j.trees, gitwatch.Tree{Top: filepath.Dir(found), Git: found})
	}
}

// guard protects a directory of git.
func (j *Jail) guard(git string) {
	add(&j.plan.Pin, git)
	add(&j.gits, git)
	for _, each := range []struct{ name, content string }{
		{"hooks", ""},
		{"config", "\n"},
		// Saying that the common directory is this one is what its absence means.
		{"commondir", ".\n"},
	} {
		j.protect(filepath.Join(git, each.name), each.content)
	}
	config := filepath.Join(git, "config")
	content, _ := os.ReadFile(config) // a repository without one has nothing to lose
	if strings.Contains(strings.ToLower(string(content)), "worktreeconfig") {
		j.protect(filepath.Join(git, "config.worktree"), "\n")
		j.guardIncluded(filepath.Join(git, "config.worktree"))
	}
	j.guardIncluded(config)
	// The configurations of submodules and worktrees. To work on those, start there.
	for _, name := range []string{"modules", "worktrees"} {
		if path := filepath.Join(git, name); path != j.worktrees {
			j.protect(path, "")
		}
	}
}

// guardIncluded protects what a configuration includes, and notes in which state all of
// them were read.
func (j *Jail) guardIncluded(config string) {
	files := gitwatch.Includes(config, j.keeper.home())
	for _, path := range files {
		j.protect(path, "\n")
	}
	for _, path := range append(files, config) {
		j.read = append(j.read, stampOf(path))
	}
}

// guardWorktree grants the two directories of a linked worktree, or the one of a
// submodule, if they say themselves that this is theirs: a .git file alone could point
// anywhere.
func (j *Jail) guardWorktree(root, file string) {
	p := &j.plan
	add(&p.Protect, file)
	content, _ := os.ReadFile(file)
	private, ok := strings.CutPrefix(strings.TrimSpace(string(content)), "gitdir: ")
	if !ok {
		return
	}
	private = gitwatch.ResolveFrom(filepath.Dir(file), private)
	if gitwatch.IsRepository(private) && worktreeOf(private) == filepath.Dir(file) { // a submodule
		add(&p.Write, private)
		j.guard(private)
		j.trees = append(j.trees, gitwatch.Tree{Top: filepath.Dir(file), Git: private})
		return
	}
	back, _ := os.ReadFile(filepath.Join(private, "gitdir"))
	if gitwatch.ResolveFrom(private, strings.TrimSpace(string(back))) != file {
		return
	}
	common := filepath.Dir(filepath.Dir(private))
	if filepath.Join(common, "worktrees", filepath.Base(private)) != private || !gitwatch.IsRepository(common) {
		return
	}
	add(&p.Write, common)
	j.worktrees = filepath.Join(common, "worktrees")
	j.guard(common)
	add(&p.Pin, j.worktrees)
	add(&p.Pin, private)
	add(&p.Closed, j.worktrees) // also to worktrees that are made while commands run
	add(&j.gits, private)
	j.trees = append(j.trees, gitwatch.Tree{Top: filepath.Dir(file), Git: private})
	j.read = append(j.read, stampOf(j.worktrees))
	others, _ := os.ReadDir(j.worktrees)
	for _, other := range others {
		if path := filepath.Join(j.worktrees, other.Name()); path != private {
			add(&p.Protect, path)
		}
	}
	for _, name := range []string{"commondir", "gitdir"} {
		add(&p.Protect, filepath.Join(private, name))
	}
	j.protect(filepath.Join(private, "config.worktree"), "\n")
	j.protect(filepath.Join(private, "modules"), "") // of its submodules
}

// worktreeOf is where the configuration of a repository says that its files are; that of
// a submodule does. "" means that it says nothing.
func worktreeOf(git string) string {
	config, _ := os.ReadFile(filepath.Join(git, "config"))
	for line := range strings.Lines(string(config)) {
		if name, path, ok := strings.Cut(line, "="); ok && strings.EqualFold(strings.TrimSpace(name), "worktree") {
			return gitwatch.ResolveFrom(git, strings.TrimSpace(path))
		}
	}
	return ""
}

// repositoryOf is the .git that git uses in dir: a directory that is a repository, or
// a file in the top of a worktree. "" means none.
func repositoryOf(dir string) (path string, isFile bool) {
	for {
		git := filepath.Join(dir, ".git")
		info, err := os.Lstat(git)
		switch {
		case err == nil && info.IsDir() && gitwatch.IsRepository(git):
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

// Included are the files from which git takes settings in a repository because its own
// configuration says so, wherever they are. Common is the directory of that.
func Included(common, home string) []string { return gitwatch.Included(common, home) }

func hasRepository(root string) bool {
	found, _ := repositoryOf(root)
	return found != ""
}

// HoldsRepository reports whether the repository that git finds in dir is one whose settings are
// read-only for commands in the jail of root. A repository below the root is not.
func (k *Keeper) HoldsRepository(root, dir string) bool {
	common := gitdir.Discover(dir).Common
	if common == "" {
		return false
	}
	resolved, err := filepath.EvalSymlinks(root)
	return err != nil || common == gitdir.Discover(resolved).Common || !disk.Within(common, resolved)
}
