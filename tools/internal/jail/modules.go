package jail

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/tools/internal/gitdir"
)

// A repository below the working tree that is in the index is a submodule: the user's git status
// reads its configuration and refreshes its index, and so runs the programs in its core.fsmonitor,
// filters and hooks. Other nested repositories are not read from outside.

// tree is a working tree of a repository of git.
type tree struct{ top, git string }

// submodules are the directories that the index of the repository names as such, and in which
// commands write.
func (w *watch) submodules(j *Jail) (dirs []string) {
	for _, one := range j.trees {
		for _, name := range w.gitlinks(filepath.Join(one.git, "index")) {
			dir := filepath.Join(one.top, filepath.FromSlash(name))
			if j.reaches(filepath.Join(dir, ".git")) && len(dirs) < mostModules {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// module looks at the repository of a submodule, where commands can write it.
func (w *watch) module(j *Jail, dir string, now *sight) {
	git := moduleOf(dir)
	if git == "" || j.holdsModule(git) {
		return
	}
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && !info.IsDir() {
		w.note(filepath.Join(dir, ".git"), now.config)
	}
	if !j.reaches(git) {
		return
	}
	w.walk(j, git, now)
	w.readConfig(git, append([]string{"config", "commondir"}, readAsConfig...), now)
	for _, included := range includes(filepath.Join(git, "config"), j.keeper.home()) {
		if j.reaches(included) {
			w.note(included, now.config)
		}
	}
	for _, hook := range now.listed(w, filepath.Join(git, "hooks")) {
		if !strings.HasSuffix(hook, ".sample") && !strings.HasSuffix(hook, heldAside) {
			w.note(filepath.Join(git, "hooks", hook), now.config)
		}
	}
}

// moduleOf is the git directory of a repository in dir, or "".
func moduleOf(dir string) string {
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	switch {
	case err != nil:
		return ""
	case info.Mode().IsRegular():
		target, ok := strings.CutPrefix(strings.TrimSpace(string(beginningOf(git, 4<<10))), "gitdir: ")
		if !ok {
			return ""
		}
		git = resolveFrom(dir, target)
	default:
		git = resolveFrom(dir, ".git")
	}
	if git == "" || !isRepository(git) {
		return ""
	}
	return git
}

// holdsModule says that a repository is one of those that are protected as a whole.
func (j *Jail) holdsModule(git string) bool {
	return slices.ContainsFunc(j.gits, func(own string) bool { return within(git, filepath.Join(own, "modules")) })
}

// newModules puts aside the repositories that commands entered in the index, if they made
// them or changed them, and their configuration does more than that of a clone.
func (w *watch) newModules(j *Jail, before, after sight) {
	for _, dir := range sorted(after.modules) {
		git := moduleOf(dir)
		if git == "" || before.modules[dir] && before.hasModule(dir, git) || j.holdsModule(git) || !w.since(git) || plainClone(git) {
			continue
		}
		w.tell(j, filepath.Join(dir, ".git")+" is a repository in the index of the one around it, and names programs, which git status would run", shot{path: filepath.Join(dir, ".git"), none: true}.putBack(j))
	}
}

// hasModule says that the repository of a submodule was looked at.
func (s sight) hasModule(dir, git string) bool {
	_, pointed := s.config[filepath.Join(dir, ".git")]
	return s.dirs[git] || pointed
}

// lacksModule says that a path lies in a submodule that is new.
func (s sight) lacksModule(after sight, path string) bool {
	for dir := range after.modules {
		if within(path, filepath.Join(dir, ".git")) {
			return !s.modules[dir] || !s.hasModule(dir, filepath.Join(dir, ".git"))
		}
	}
	return false
}

// since says whether what a repository obeys changed after this Marvin began to run commands.
func (w *watch) since(git string) bool {
	paths := []string{git, filepath.Join(git, "config"), filepath.Join(git, "hooks"), filepath.Join(git, "info")}
	hooks, _ := os.ReadDir(filepath.Join(git, "hooks"))
	for _, hook := range hooks {
		paths = append(paths, filepath.Join(git, "hooks", hook.Name()))
	}
	return slices.ContainsFunc(paths, func(path string) bool {
		stat, ok := statOf(path)
		return ok && stat.changedSince(w.began.Add(freshly-tick))
	})
}

// plainKeys are what git clone and git branch write into a configuration; none of them names
// a program.
var plainKeys = []string{
	"core.repositoryformatversion", "core.filemode", "core.bare", "core.logallrefupdates", "core.ignorecase", "core.precomposeunicode", "core.symlinks",
	"remote.url", "remote.fetch", "remote.tagopt", "remote.promisor", "remote.partialclonefilter", "branch.remote", "branch.merge", "branch.rebase",
	"submodule.url", "submodule.active", "user.name", "user.email", "extensions.objectformat", "extensions.refstorage", "extensions.partialclone",
}

// plainClone says that a repository has the settings of a clone, and no hooks.
func plainClone(git string) bool {
	for _, name := range []string{"config.worktree", "info/attributes", "commondir"} {
		if exists(filepath.Join(git, filepath.FromSlash(name))) {
			return false
		}
	}
	hooks, _ := os.ReadDir(filepath.Join(git, "hooks"))
	if slices.ContainsFunc(hooks, func(hook os.DirEntry) bool { return !strings.HasSuffix(hook.Name(), ".sample") }) {
		return false
	}
	section := ""
	for line := range strings.Lines(string(beginningOf(filepath.Join(git, "config"), mostConfig))) {
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

// gitlinks are the names of the submodules in an index. It is read again only where it
// changed.
func (w *watch) gitlinks(index string) []string {
	stat, ok := statOf(index)
	if !ok {
		return nil
	}
	if known, ok := w.indexes[index]; ok && known.stat == stat && !stat.changedSince(known.at) {
		return known.names
	}
	at := time.Now()
	var names []string
	for _, entry := range gitdir.Index(index) {
		if entry.Module {
			names = append(names, entry.Name)
		}
	}
	if w.indexes == nil {
		w.indexes = map[string]indexed{}
	}
	w.indexes[index] = indexed{stat: stat, at: at, names: names}
	return names
}

// indexed are the submodules of an index in one state.
type indexed struct {
	stat  fileStat
	at    time.Time
	names []string
}
