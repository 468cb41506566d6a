package jail

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/messages/lists"
	"marvin/tools/internal/envvar"
	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/keyfile"
	"marvin/tools/internal/keys"
	"marvin/tools/internal/protected"
)

// hidden collects the existing paths that a command must not see. Each command needs a new list,
// because keys and sockets can appear at any time.
func (j *Jail) hidden() []string {
	home := j.keeper.home()
	h := hiding{jail: j, home: home, open: j.keeper.readable(home)}
	for _, own := range j.keeper.state(home) {
		h.add(own, false)
	}
	for _, private := range j.keeper.privateNow() {
		if !disk.Contains(j.plan.Root, private) {
			h.add(private, false)
		}
	}
	if h.home != "" {
		h.sshKeys(filepath.Join(h.home, ".ssh"), 2)
		there := listHome(h.home)
		for i := range protected.Home {
			h.hideRow(&protected.Home[i], there)
		}
	}
	for _, place := range (protected.Locations{Environ: j.keeper.config.Environ}).Places() {
		if place.Row.Keys && !disk.Contains(place.Path, j.plan.Root) && holdsKeys(place.Row, place.Path) {
			h.add(place.Path, true)
		}
	}
	h.otherNames()
	h.sockets()
	return h.paths
}

// otherNames searches the jail's root and the home directory for hard links to hidden files, and
// hides these links. The result is stored for each root, because commands cannot create such links.
func (h *hiding) otherNames() {
	k, root := h.jail.keeper, h.jail.plan.Root
	k.links.Lock()
	defer k.links.Unlock()
	found, known := k.links.byRoot[root]
	if !known {
		dirs := []string{root}
		if h.home != "" {
			dirs = append(dirs, h.home)
		}
		found = disk.OtherNames(h.files(), dirs)
		if k.links.byRoot == nil {
			k.links.byRoot = map[string][]string{}
		}
		k.links.byRoot[root] = found
	}
	for _, path := range found {
		h.add(path, true)
	}
}

// mostLinked is the maximum number of files that [hiding.files] returns for each hidden path.
const mostLinked = 100

// files determines the hidden regular files. For each hidden path, it stops after mostLinked files.
func (h *hiding) files() (files []string) {
	for _, path := range h.paths {
		few := len(files) + mostLinked
		_ = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
			switch {
			case len(files) >= few:
				return fs.SkipAll
			case err == nil && entry.Type().IsRegular():
				files = append(files, at)
			}
			return nil
		})
	}
	return files
}

// privateNow returns the paths of the private directories. If a directory was renamed within its
// parent, privateNow returns both the configured path and the current path.
func (k *Keeper) privateNow() (dirs []string) {
	for i, dir := range k.config.Private {
		dirs = append(dirs, dir)
		was := k.private[i]
		if now, err := os.Stat(dir); was == nil || err == nil && os.SameFile(was, now) {
			continue
		}
		entries, _ := os.ReadDir(filepath.Dir(dir))
		for _, entry := range entries {
			if now, err := entry.Info(); err == nil && os.SameFile(was, now) {
				dirs = append(dirs, filepath.Join(filepath.Dir(dir), entry.Name()))
			}
		}
	}
	return dirs
}

// hideRow hides each path in row.Names if the path exists and contains keys.
func (h *hiding) hideRow(row *protected.Row, there func(name string) bool) {
	for _, name := range row.Names {
		if path := filepath.Join(h.home, name); row.Keys && there(name) && holdsKeys(row, path) {
			h.add(path, true)
		}
	}
}

func holdsKeys(row *protected.Row, path string) bool {
	switch {
	case row.Vars:
		return keyfile.SetsKey(path)
	case row.Words != "":
		return keyfile.HasWord(path, row.Words)
	}
	return true
}

// listHome returns a function that reports whether a path below the home directory could exist. The
// returned function checks only the first component of a path. In .config, it checks the first two.
// Listing the home directory and .config is ten times as fast as checking each path.
func listHome(home string) func(name string) bool {
	names := map[string]bool{}
	for _, dir := range []string{"", ".config/"} {
		entries, _ := os.ReadDir(filepath.Join(home, dir))
		for _, entry := range entries {
			names[dir+entry.Name()] = true
		}
	}
	return func(name string) bool {
		top, rest, _ := strings.Cut(name, "/")
		if top == ".config" {
			second, _, _ := strings.Cut(rest, "/")
			return names[top+"/"+second]
		}
		return names[top]
	}
}

type hiding struct {
	jail  *Jail
	home  string
	open  []string // paths that the user made readable
	paths []string

	oneRun bool // /var/run is a link to /run
}

// add ensures that an existing path is hidden. If mayOpen is true, paths that the user opened stay
// visible. If path is a directory that contains an opened path or the root, only the directory's
// other entries are hidden.
func (h *hiding) add(path string, mayOpen bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	if info.Mode()&os.ModeSymlink != 0 { // the old path of Marvin's directory can be a link to the new path
		if real, err := filepath.EvalSymlinks(path); err == nil && slices.ContainsFunc(h.paths, func(hidden string) bool { return disk.Contains(real, hidden) }) {
			return
		}
	}
	if mayOpen && slices.ContainsFunc(h.open, func(open string) bool { return disk.Contains(path, open) }) {
		return
	}
	if slices.ContainsFunc(h.paths, func(hidden string) bool { return disk.Contains(path, hidden) }) {
		return
	}
	inside := func(open string) bool { return open != path && disk.Contains(open, path) }
	if root := h.jail.plan.Root; path == root || inside(root) || mayOpen && slices.ContainsFunc(h.open, inside) {
		if !info.IsDir() || path == root {
			return
		}
		entries, _ := os.ReadDir(path) // if this fails, commands cannot read the directory either
		for _, entry := range entries {
			h.add(filepath.Join(path, entry.Name()), mayOpen)
		}
		return
	}
	h.paths = append(h.paths, path)
}

// state determines Marvin's own directories. They stay hidden even if Config.Readable contains
// them.
func (k *Keeper) state(home string) (paths []string) {
	paths = lists.Filter([]string{k.config.State, k.config.Data}, func(own string) bool { return own != "" })
	if home != "" {
		for _, row := range protected.Home {
			if row.Own && row.Keys {
				paths = append(paths, pathsBelow(home, row.Names)...)
			}
		}
	}
	return paths
}

// words returns the paths of the directories in [protected.TextDirs]. Commands can read these
// directories, although the parent directories are hidden.
func (k *Keeper) words() (dirs []string) {
	own := []string{k.config.State}
	if home := k.home(); home != "" {
		own = append(own, filepath.Join(home, ".config", "marvin"))
	}
	for _, own := range slices.Compact(own) {
		for _, name := range protected.TextDirs {
			if own != "" {
				dirs = append(dirs, filepath.Join(own, name))
			}
		}
	}
	return dirs
}

func pathsBelow(dir string, names []string) []string {
	return lists.Map(names, func(name string) string { return filepath.Join(dir, name) })
}

// readable expands "~/" and "$NAME" in the paths of Config.Readable, and omits relative paths.
func (k *Keeper) readable(home string) (paths []string) {
	for _, path := range k.config.Readable {
		if name, ok := strings.CutPrefix(path, "$"); ok {
			path = envvar.Lookup(k.config.Environ, name)
		}
		if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
			path = filepath.Join(home, rest)
		}
		if filepath.IsAbs(path) {
			paths = append(paths, filepath.Clean(path))
		}
	}
	return paths
}

// sshKeys hides the files in ~/.ssh that have the name or the content of a key. A key file of
// Marvin stays visible only if the user opened the file itself, not just its directory.
func (h *hiding) sshKeys(dir string, deep int) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		switch {
		case err != nil:
		case info.IsDir() && deep > 0:
			h.sshKeys(path, deep-1)
		case info.IsDir():
			h.add(path, true)
		case !info.Mode().IsRegular(): // the socket of a shared connection
			h.add(path, true)
		case keys.Named(entry.Name()):
			h.add(path, slices.Contains(h.open, path))
		case !keyfile.Public(entry.Name()) && (keyfile.HasKeyName(entry.Name()) || keyfile.Holds(path)):
			h.add(path, true)
		}
	}
}
