package jail

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/envvar"
	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/gitwatch"
	"marvin/tools/internal/jail/internal/placeholder"
)

// guardRepository protects files through which git would run programs. It makes the repository that
// contains the root writable, so that git commit works in a subdirectory or a worktree.
func (j *Jail) guardRepository(root string) {
	found, isFile := repositoryOf(root)
	j.repository = found != ""
	if !isFile && found != "" && !disk.Contains(found, root) {
		add(&j.plan.Write, found)
	}
	if gitwatch.IsRepository(root) { // a bare repository, or the inside of .git
		j.guard(root)
	}
	if git := filepath.Join(root, ".git"); found != git { // git looks at this path first
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

func (j *Jail) guard(git string) {
	add(&j.plan.Pin, git)
	add(&j.gits, git)
	for _, each := range []struct{ name, content string }{
		{"hooks", ""},
		{"config", "\n"},
		// With this content, the file has no effect.
		{"commondir", ".\n"},
	} {
		j.protect(filepath.Join(git, each.name), each.content)
	}
	config := filepath.Join(git, "config")
	content, _ := os.ReadFile(config) // empty if the file is missing
	if strings.Contains(strings.ToLower(string(content)), "worktreeconfig") {
		j.protect(filepath.Join(git, "config.worktree"), "\n")
		j.guardIncluded(filepath.Join(git, "config.worktree"))
	}
	j.guardIncluded(config)
	// These directories contain the configurations of submodules and worktrees. To work on a
	// submodule or worktree, the user starts Marvin in it.
	for _, name := range []string{"modules", "worktrees"} {
		if path := filepath.Join(git, name); path != j.worktrees {
			j.protect(path, "")
		}
	}
}

// guardIncluded protects the files that a configuration includes. It records the state of these
// files and of the configuration.
func (j *Jail) guardIncluded(config string) {
	files := gitwatch.Includes(config, j.keeper.home())
	for _, path := range files {
		j.protect(path, "\n")
	}
	for _, path := range append(files, config) {
		j.read = append(j.read, stampOf(path))
	}
}

// guardUsersIncludes protects the files that the system's and the user's git configurations
// include. git reads these files in every repository.
func (j *Jail) guardUsersIncludes() {
	home, environ := j.keeper.home(), j.keeper.config.Environ
	configs := []string{"/etc/gitconfig", envvar.Lookup(environ, "GIT_CONFIG_SYSTEM"), envvar.Lookup(environ, "GIT_CONFIG_GLOBAL")}
	if home != "" {
		configs = append(configs, filepath.Join(home, ".gitconfig"), filepath.Join(cmp.Or(envvar.Lookup(environ, "XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "config"))
	}
	for _, config := range configs {
		if filepath.IsAbs(config) {
			j.guardIncluded(config)
		}
	}
}

// guardWorktree lets commands write to the git directories of a linked worktree or submodule. The
// target of the .git file must point back to the working tree, because a .git file could name any
// directory.
func (j *Jail) guardWorktree(root, file string) {
	p := &j.plan
	add(&p.Protect, file)
	private := gitdir.GitFileTarget(file)
	if private == "" {
		return
	}
	if gitwatch.IsRepository(private) && worktreeOf(private) == filepath.Dir(file) { // a submodule
		add(&p.Write, private)
		j.guard(private)
		j.trees = append(j.trees, gitwatch.Tree{Top: filepath.Dir(file), Git: private})
		return
	}
	back, _ := os.ReadFile(filepath.Join(private, "gitdir"))
	if gitdir.Resolve(private, strings.TrimSpace(string(back))) != file {
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
	add(&p.Closed, j.worktrees) // this protects even worktrees that are added while commands run
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
	j.protect(filepath.Join(private, "modules"), "") // the repositories of the worktree's submodules
}

// worktreeOf returns the working tree that a repository's configuration names, or "" if it names
// none. Submodules have this setting.
func worktreeOf(git string) string {
	config, _ := os.ReadFile(filepath.Join(git, "config"))
	for line := range strings.Lines(string(config)) {
		if name, path, ok := strings.Cut(line, "="); ok && strings.EqualFold(strings.TrimSpace(name), "worktree") {
			return gitdir.Resolve(git, strings.TrimSpace(path))
		}
	}
	return ""
}

// repositoryOf returns the path of the .git directory or file that git uses in dir, or "" if there
// is none.
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

// Included returns the files that a repository's configuration includes, even files outside the
// repository. The first argument is the repository's common directory.
func Included(common, home string) []string { return gitwatch.Included(common, home) }

func hasRepository(root string) bool {
	found, _ := repositoryOf(root)
	return found != ""
}

// HoldsRepository reports whether the jail prevents commands from changing the settings of the
// repository that git uses in dir. The jail does not protect a separate repository below its root.
func (k *Keeper) HoldsRepository(root, dir string) bool {
	common := gitdir.Discover(dir).Common
	if common == "" {
		return false
	}
	resolved, err := filepath.EvalSymlinks(root)
	return err != nil || common == gitdir.Discover(resolved).Common || !disk.Contains(common, resolved)
}
