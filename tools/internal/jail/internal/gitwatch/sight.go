package gitwatch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/tools/internal/gitdir"
	"marvin/tools/internal/jail/internal/disk"
)

// listing is the content of a git directory at one moment.
type listing struct {
	stat  disk.Stat
	dirs  []string
	names []string // the names of the files
	odd   map[string]oddity
}

// These limits apply to the git directories and submodules of one root.
const (
	mostGitDirs = 20_000
	mostModules = 500
)

// readAsConfig lists unprotected files that git reads as configuration. The paths are relative to
// the git directory.
var readAsConfig = []string{"config.worktree", "info/attributes", "objects/info/alternates", "objects/info/http-alternates"}

func (w *Watch) look(p *Place) sight {
	now := sight{odd: map[string]oddity{}, dirs: map[string]bool{}, config: map[string]shot{}, heads: map[string]shot{}, modules: map[string]bool{}, owners: map[string][]string{}, steps: map[string]shot{}}
	for _, git := range p.Gits {
		w.walk(p, git, &now)
		w.readConfig(git, readAsConfig, &now)
		for _, name := range []string{"remotes", "branches"} { // git's old format for remotes
			for _, file := range now.listed(w, filepath.Join(git, name)) {
				w.note(filepath.Join(git, name, file), now.config)
			}
		}
		for _, name := range []string{"HEAD", "packed-refs", "shallow"} {
			w.note(filepath.Join(git, name), now.heads)
		}
		for _, path := range foreignStrategies(git) {
			now.steps[path] = shoot(path)
		}
	}
	for _, one := range p.Trees {
		if stat, ok := disk.Of(filepath.Join(one.Git, "index")); ok && stat.Size > gitdir.MostIndex {
			now.partial = true
		}
	}
	for at, dir := range w.submodules(p) {
		now.modules[dir] = true
		if at < mostModules { // newModules treats submodules above the limit as new
			w.module(p, dir, &now)
		}
	}
	return now
}

func (s *sight) listed(w *Watch, dir string) []string {
	if !s.dirs[dir] || w.listings[dir] == nil {
		return nil
	}
	return w.listings[dir].names
}

func (w *Watch) readConfig(git string, names []string, now *sight) {
	for _, name := range names {
		w.note(filepath.Join(git, filepath.FromSlash(name)), now.config)
	}
}

func (w *Watch) note(path string, in map[string]shot) {
	stat, ok := disk.Of(path)
	if !ok {
		return
	}
	if known, ok := w.shots[path]; ok && known.stat == stat && !stat.ChangedSince(known.at) {
		in[path] = known.shot
		return
	}
	taken := shoot(path)
	if w.shots == nil {
		w.shots = map[string]knownShot{}
	}
	w.fresh, w.shots[path] = true, knownShot{stat: stat, at: time.Now(), shot: taken}
	in[path] = taken
}

// knownShot is a cached snapshot of a file. It is valid until the file changes.
type knownShot struct {
	stat disk.Stat
	at   time.Time
	shot shot
}

// walk examines a git directory. It skips paths protected by mounts, and object directories.
func (w *Watch) walk(p *Place, git string, now *sight) {
	info, err := os.Lstat(git)
	if err != nil || !info.IsDir() {
		if err == nil {
			now.odd[git] = oddityOf(git, info)
		}
		return
	}
	for pending := []string{git}; len(pending) > 0; {
		dir := pending[0]
		pending = pending[1:]
		if len(now.dirs) >= mostGitDirs {
			now.partial = true
			return
		}
		list, err := w.list(dir)
		if errors.Is(err, fs.ErrPermission) && w.repairs && p.makeReadable(dir) == nil {
			w.tell(dir+" was "+oddity{kind: fs.ModeDir}.String(), nil)
			list, err = w.list(dir)
		}
		if err != nil {
			if info, at := os.Lstat(dir); at == nil && errors.Is(err, fs.ErrPermission) {
				now.odd[dir] = oddityOf(dir, info)
			}
			continue
		}
		now.dirs[dir] = true
		for name, odd := range list.odd {
			if path := filepath.Join(dir, name); !slices.Contains(p.Links, path) && !(p.Mounts && slices.Contains(p.Protect, path)) {
				now.odd[path] = odd
			}
		}
		for _, name := range list.dirs {
			if path := filepath.Join(dir, name); !(p.Mounts && slices.Contains(p.Protect, path)) {
				pending = append(pending, path)
			}
		}
	}
}

// objects returns a function that reports whether a subdirectory of dir contains only objects of
// git, git-lfs or git-annex.
func objects(dir string) func(name string) bool {
	base := filepath.Base(dir)
	if base != "objects" && base != "lfs" && base != "annex" || !IsRepository(filepath.Dir(dir)) {
		return func(string) bool { return false }
	}
	return func(name string) bool {
		return base == "objects" && len(name) == 2 || base != "objects" && name == "objects"
	}
}

// makeReadable gives this process permission to read and enter a directory that commands can write
// to.
func (p *Place) makeReadable(dir string) error {
	root, name, err := p.open(dir)
	if slices.Contains(p.Write, dir) { // commands cannot replace the root of a writable tree
		name = filepath.Base(dir)
		root, err = os.OpenRoot(filepath.Dir(dir))
	}
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	return root.Chmod(name, info.Mode().Perm()|0o700)
}

// list returns the content of a directory, from the cache if the directory is unchanged. The error
// is [fs.ErrPermission] if this process cannot list or enter the directory.
func (w *Watch) list(dir string) (*listing, error) {
	stat, ok := disk.Of(dir)
	if !ok {
		return nil, fs.ErrNotExist
	}
	known := w.listings[dir]
	if known != nil && known.stat == stat && !stat.ChangedSince(w.listedAt[dir]) {
		return known, nil
	}
	at := time.Now()
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		if _, at := os.Lstat(filepath.Join(dir, entries[0].Name())); errors.Is(at, fs.ErrPermission) {
			err = at
		}
	}
	if err != nil {
		return nil, err
	}
	made, hasObjects := &listing{stat: stat}, objects(dir)
	for _, entry := range entries {
		if entry.IsDir() {
			if !hasObjects(entry.Name()) {
				made.dirs = append(made.dirs, entry.Name())
			}
			continue
		}
		made.names = append(made.names, entry.Name())
		path := filepath.Join(dir, entry.Name())
		switch info, err := os.Lstat(path); {
		case err != nil || info.Mode().Type()&fs.ModeSocket != 0: // the socket of git's own fsmonitor
		case !info.Mode().IsRegular() || disk.NamesOf(info) > 1 && !strings.Contains(path, "/objects/"):
			if made.odd == nil {
				made.odd = map[string]oddity{}
			}
			made.odd[entry.Name()] = oddityOf(path, info)
		}
	}
	if w.listings == nil {
		w.listings, w.listedAt = map[string]*listing{}, map[string]time.Time{}
	}
	w.fresh, w.listings[dir], w.listedAt[dir] = true, made, at
	return made, nil
}

func oddityOf(path string, info fs.FileInfo) oddity {
	odd := oddity{kind: info.Mode().Type(), inode: disk.InodeOf(info)}
	if odd.kind == fs.ModeSymlink {
		odd.leads, _ = os.Readlink(path)
	}
	return odd
}

// revertChanges compares two states of the git directories and reverts forbidden changes (see
// [sight]), outer paths first. found is true if git would have written elsewhere through a new or
// changed entry.
func (w *Watch) revertChanges(p *Place, before, after sight) (found bool) {
	for _, path := range disk.Sorted(after.odd) {
		odd := after.odd[path]
		if was, known := before.odd[path]; known && was == odd {
			continue
		}
		found = true
		w.tell(path+" was "+odd.String(), w.replace(p, path, odd, before))
	}
	for _, path := range disk.Sorted(after.config) {
		was, known := before.config[path]
		if before.lacksModules(after, path) {
			continue // see newModules
		}
		if !known {
			was = shot{path: path, none: true}
		}
		if now := shoot(path); !now.none && !now.equal(was) { // the loop above has already removed symbolic links
			w.tell(path+" has settings that git obeys", was.putBack(p))
		}
	}
	for _, path := range disk.Sorted(before.config) {
		if was := before.config[path]; !was.equal(shoot(path)) && after.config[path].path == "" {
			w.tell(path+", which has settings that git obeys, was removed", was.putBack(p))
		}
	}
	for _, path := range disk.Sorted(after.steps) {
		if was, known := before.steps[path]; !known || !was.equal(after.steps[path]) {
			w.tell(path+" names a merge strategy that is a program, and git would run this program to continue", shot{path: path, none: true}.putBack(p))
		}
	}
	w.newModules(p, before, after)
	if after.partial && !before.partial {
		w.tell(fmt.Sprintf("there are more than %d directories below %s, or an index larger than %d MiB, so not everything was checked", mostGitDirs, strings.Join(p.Gits, ", "), gitdir.MostIndex>>20), nil)
	}
	return found
}

// replace repairs an [oddity]. If possible, it restores the earlier file.
func (w *Watch) replace(p *Place, path string, odd oddity, before sight) error {
	if odd.kind == fs.ModeDir {
		return p.makeReadable(path)
	}
	root, name, err := p.open(path)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(name)
	if err != nil || info.Mode().IsRegular() && disk.NamesOf(info) == 1 || info.IsDir() {
		return nil // the oddity no longer exists
	}
	leads := odd.leads
	if leads != "" && !filepath.IsAbs(leads) {
		leads = filepath.Join(filepath.Dir(path), leads)
	}
	tree := filepath.Clean(strings.TrimSuffix(path, name))
	// If a symbolic link replaced a directory, and the link's target is a directory in the same
	// tree, move the target back.
	if before.dirs[path] && leads != "" && disk.Contains(leads, tree) {
		if moved, err := root.Lstat(strings.TrimPrefix(leads, tree+"/")); err == nil && moved.IsDir() {
			return errors.Join(root.Remove(name), root.Rename(strings.TrimPrefix(leads, tree+"/"), name))
		}
	}
	was, known := before.heads[path]
	if !known {
		was, known = before.config[path]
	}
	if odd.kind == 0 && !known { // a git file with several hard links becomes a separate file with the same content
		text, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		was, known = shot{path: path, mode: info.Mode().Perm(), text: text}, true
	}
	if err := root.Remove(name); err != nil {
		return err
	}
	if known {
		return root.WriteFile(name, was.text, was.mode)
	}
	return nil
}
