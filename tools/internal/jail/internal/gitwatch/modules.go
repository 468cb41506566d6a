package gitwatch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail/internal/disk"
)

// A repository below the working tree is a submodule if the index contains it. When the user runs
// "git status", git refreshes the index of each submodule. For this, git runs hooks and filters of
// the submodule, and the program in the submodule's core.fsmonitor. The user's git does not read
// nested repositories that are not submodules.

// Tree is a working tree and its git directory.
type Tree struct{ Top, Git string }

// submodules returns the submodule directories that commands can change. The result includes nested
// submodules.
func (w *Watch) submodules(p *Place) (dirs []string) {
	seen := map[string]bool{}
	for trees := slices.Clone(p.Trees); len(trees) > 0; trees = trees[1:] {
		git, top := trees[0].Git, gitdir.Resolve(trees[0].Top, ".")
		if seen[top] { // already visited, for example through a symbolic link
			continue
		}
		seen[top] = true
		for _, name := range w.gitlinks(filepath.Join(git, "index")) {
			dir := filepath.Join(trees[0].Top, filepath.FromSlash(name))
			if !p.reaches(filepath.Join(dir, ".git")) {
				continue
			}
			dirs = append(dirs, dir)
			if inner := moduleOf(dir); inner != "" {
				trees = append(trees, Tree{Top: dir, Git: inner})
			}
		}
	}
	return dirs
}

// module examines a submodule's repository, but skips paths that commands cannot change.
func (w *Watch) module(p *Place, dir string, now *sight) {
	git := moduleOf(dir)
	if git == "" || p.holdsModule(git) {
		return
	}
	var obeyed []string
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && !info.IsDir() {
		obeyed = append(obeyed, filepath.Join(dir, ".git"))
	}
	if p.reaches(git) {
		w.walk(p, git, now)
		for _, name := range append([]string{"config", "commondir"}, readAsConfig...) {
			obeyed = append(obeyed, filepath.Join(git, filepath.FromSlash(name)))
		}
		for _, included := range Includes(filepath.Join(git, "config"), p.Home) {
			if p.reaches(included) {
				obeyed = append(obeyed, included)
			}
		}
		for _, hook := range now.listed(w, filepath.Join(git, "hooks")) {
			if !strings.HasSuffix(hook, ".sample") && !strings.HasSuffix(hook, HeldAside) {
				obeyed = append(obeyed, filepath.Join(git, "hooks", hook))
			}
		}
	}
	for _, path := range obeyed {
		w.note(path, now.config)
		now.owners[path] = append(now.owners[path], dir)
	}
}

// moduleOf returns the git directory of the repository in dir, or "".
func moduleOf(dir string) string {
	entry := filepath.Join(dir, ".git")
	git := ""
	if info, err := os.Stat(entry); err == nil && info.Mode().IsRegular() {
		git = gitdir.GitFileTarget(entry)
	} else if err == nil {
		git = gitdir.Resolve(dir, ".git")
	}
	if git == "" || !IsRepository(git) && !shares(git) {
		return ""
	}
	return git
}

// shares is true if a repository has a commondir file. That file contains the path of the directory
// with the repository's objects, references and configuration.
func shares(git string) bool {
	return disk.Exists(filepath.Join(git, "HEAD")) && disk.Exists(filepath.Join(git, "commondir"))
}

// holdsModule reports whether a git directory is in the modules directory of an entry of p.Gits.
// Modules directories are protected as a whole.
func (p *Place) holdsModule(git string) bool {
	return slices.ContainsFunc(p.Gits, func(own string) bool { return disk.Contains(git, filepath.Join(own, "modules")) })
}

// newModules moves aside repositories that commands added to the index as submodules. It skips a
// repository that has only the settings of a plain clone. It also skips a repository if no command
// can have changed its settings; see [period].
func (w *Watch) newModules(p *Place, before, after sight) {
	for _, dir := range disk.Sorted(after.modules) {
		git := moduleOf(dir)
		if git == "" || before.modules[dir] && before.hasModule(dir, git) || p.holdsModule(git) || plainClone(git) || !w.byCommands(p.obeyedIn(dir, git)) {
			continue
		}
		w.tell(filepath.Join(dir, ".git")+" is the repository of a submodule, and the settings of this submodule name programs that \"git status\" would run", shot{path: filepath.Join(dir, ".git"), none: true}.putBack(p))
	}
}

// hasModule reports whether a submodule's repository was examined.
func (s sight) hasModule(dir, git string) bool {
	_, pointed := s.config[filepath.Join(dir, ".git")]
	return s.dirs[git] || pointed
}

// lacksModules reports whether git reads a path only because of new submodules.
func (s sight) lacksModules(after sight, path string) bool {
	owners := after.owners[path]
	return len(owners) > 0 && !slices.ContainsFunc(owners, func(dir string) bool {
		return s.modules[dir] && s.hasModule(dir, filepath.Join(dir, ".git"))
	})
}

// obeyedIn returns the paths that git obeys in the repository at dir, such as configuration files
// and hooks. It omits paths that commands cannot change. The second argument is the repository's
// git directory.
func (p *Place) obeyedIn(dir, git string) []string {
	paths := []string{filepath.Join(dir, ".git"), git}
	for _, home := range slices.Compact([]string{git, gitdir.Common(git)}) {
		for _, name := range append([]string{"config", "commondir", "info", "hooks"}, readAsConfig...) {
			paths = append(paths, filepath.Join(home, filepath.FromSlash(name)))
		}
		hooks, _ := os.ReadDir(filepath.Join(home, "hooks"))
		for _, hook := range hooks {
			paths = append(paths, filepath.Join(home, "hooks", hook.Name()))
		}
		paths = append(paths, Included(home, p.Home)...)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return !p.reaches(path) })
}

// plainKeys are the keys that git clone and git branch write to a configuration. None of these keys
// names a program.
var plainKeys = []string{
	"core.repositoryformatversion", "core.filemode", "core.bare", "core.logallrefupdates", "core.ignorecase", "core.precomposeunicode", "core.symlinks",
	"remote.url", "remote.fetch", "remote.tagopt", "remote.promisor", "remote.partialclonefilter", "branch.remote", "branch.merge", "branch.rebase",
	"submodule.url", "submodule.active", "user.name", "user.email", "extensions.objectformat", "extensions.refstorage", "extensions.partialclone",
}

// plainClone reports whether a repository has no hooks and no settings other than [plainKeys].
func plainClone(git string) bool {
	for _, name := range []string{"config.worktree", "info/attributes", "commondir"} {
		if disk.Exists(filepath.Join(git, filepath.FromSlash(name))) {
			return false
		}
	}
	hooks, _ := os.ReadDir(filepath.Join(git, "hooks"))
	if slices.ContainsFunc(hooks, func(hook os.DirEntry) bool { return !strings.HasSuffix(hook.Name(), ".sample") }) {
		return false
	}
	section, content := "", string(disk.Beginning(filepath.Join(git, "config"), mostConfig+1))
	if len(content) > mostConfig {
		return false
	}
	for line := range strings.Lines(content) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "[") {
			section, line = header(line)
		}
		key, _, _ := strings.Cut(line, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		if key != "" && !strings.HasPrefix(key, "#") && !strings.HasPrefix(key, ";") && !slices.Contains(plainKeys, section+"."+key) {
			return false
		}
	}
	return true
}

// gitlinks returns the names of the submodules in an index. It reads the index only if the index
// has changed.
func (w *Watch) gitlinks(index string) []string {
	stat, ok := disk.Of(index)
	if !ok {
		return nil
	}
	if known, ok := w.indexes[index]; ok && known.stat == stat && !stat.ChangedSince(known.at) {
		return known.names
	}
	at := time.Now()
	var names []string
	entries, shared := gitdir.IndexWithShared(index)
	for _, entry := range entries {
		if entry.Module {
			names = append(names, entry.Name)
		}
	}
	if w.indexes == nil {
		w.indexes = map[string]indexModules{}
	}
	if shared { // the shared index may change even if this file does not
		delete(w.indexes, index)
		return names
	}
	w.fresh, w.indexes[index] = true, indexModules{stat: stat, at: at, names: names}
	return names
}

// indexModules is a cached result of [Watch.gitlinks].
type indexModules struct {
	stat  disk.Stat
	at    time.Time
	names []string
}

// IsRepository reports whether a directory contains the entries by which git recognizes a
// repository.
func IsRepository(git string) bool {
	return disk.Exists(filepath.Join(git, "HEAD")) && disk.Exists(filepath.Join(git, "objects")) && disk.Exists(filepath.Join(git, "refs"))
}
