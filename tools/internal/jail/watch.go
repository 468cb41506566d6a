package jail

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// watch is for systems without mounts. There a command that writes in the project writes
// in its repository, too: Landlock only grants whole trees, and to grant the entries of
// the project one by one would let no command make a file at its top, nor git its index.
// So what makes git run programs is looked at before the first command, and put back when
// one ends; what was found there is kept beside it. A job that goes on may change it again
// until the next look.
type watch struct {
	mu      sync.Mutex
	running int
	before  []shot
	changed []string // what was put back, and not told yet
}

// Limits of what is remembered of a repository.
const (
	mostShot  = 1 << 20 // bytes of a file
	mostShots = 200     // files in hooks
	heldAside = ".held-by-marvin"
)

// shot is a file as it was.
type shot struct {
	path string
	kind fs.FileMode // its type
	mode fs.FileMode
	text []byte // or where a link leads
	none bool   // there was none
}

// begin looks at what is protected, unless a command is running already, which may have
// changed it.
func (w *watch) begin(j *Jail) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running++; w.running > 1 {
		return nil
	}
	w.before = nil
	for _, path := range j.watched() {
		w.before = append(w.before, shoot(path))
	}
	return nil
}

// end puts back what is not as it was.
func (w *watch) end(j *Jail) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running--
	known := map[string]bool{}
	for _, was := range w.before {
		known[was.path] = true
		if now := shoot(was.path); !now.same(was) {
			w.tell(was.path, was.putBack(j))
		}
	}
	for _, path := range j.watched() { // what there was nothing of
		if !known[path] {
			w.tell(path, shot{path: path, none: true}.putBack(j))
		}
	}
}

func (w *watch) tell(path string, err error) {
	if err != nil {
		path += " (which could not be put back: " + err.Error() + ")"
	}
	if !slices.Contains(w.changed, path) {
		w.changed = append(w.changed, path)
	}
}

// told returns what was put back since it was last asked for.
func (w *watch) told() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	changed := w.changed
	w.changed = nil
	return changed
}

// watched is what is protected; directories come before the files in them.
func (j *Jail) watched() (paths []string) {
	for _, path := range append(slices.Clone(j.plan.Links), j.plan.Protect...) {
		add(&paths, path)
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		_ = filepath.WalkDir(path, func(below string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && slices.Contains([]string{"objects", "logs", "refs", "lfs"}, entry.Name()) {
				return fs.SkipDir
			}
			if err == nil && !entry.IsDir() && len(paths) < mostShots && !strings.HasSuffix(below, heldAside) && obeyed(path, below) {
				add(&paths, below)
			}
			return nil
		})
	}
	return paths
}

// obeyed says whether git obeys a file below a protected directory: all of hooks, and of
// submodules and other worktrees their hooks and configurations.
func obeyed(dir, path string) bool {
	rest := "/" + strings.TrimPrefix(path, filepath.Dir(dir)+"/")
	name := filepath.Base(path)
	return strings.Contains(rest, "/hooks/") || name == "config" || name == "config.worktree" || name == "commondir" || name == "gitdir"
}

func shoot(path string) shot {
	info, err := os.Lstat(path)
	if err != nil {
		return shot{path: path, none: true}
	}
	s := shot{path: path, kind: info.Mode().Type(), mode: info.Mode().Perm()}
	switch s.kind {
	case fs.ModeSymlink:
		target, _ := os.Readlink(path)
		s.text = []byte(target)
	case 0:
		s.text = beginningOf(path, mostShot)
	}
	return s
}

func (s shot) same(other shot) bool {
	return s.none == other.none && s.kind == other.kind && (s.mode == other.mode || s.kind == fs.ModeDir) && bytes.Equal(s.text, other.text)
}

// putBack has a file as it was, and what is there now beside it. It stays in the tree that
// commands write to, whatever links they made.
func (s shot) putBack(j *Jail) error {
	tree := ""
	for _, each := range j.plan.Write {
		if within(s.path, each) && len(each) > len(tree) {
			tree = each
		}
	}
	if tree == "" || s.path == tree {
		return errors.New("it is not below what commands write to")
	}
	root, err := os.OpenRoot(tree)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	name := strings.TrimPrefix(s.path, tree+"/")
	if _, err := root.Lstat(name); err == nil {
		_ = root.RemoveAll(name + heldAside)
		if err := root.Rename(name, name+heldAside); err != nil {
			return err
		}
	}
	switch {
	case s.none:
		return nil
	case s.kind == fs.ModeSymlink:
		return root.Symlink(string(s.text), name)
	case s.kind == fs.ModeDir:
		return root.MkdirAll(name, 0o755)
	case s.kind != 0:
		return errors.New("it was no file")
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return root.WriteFile(name, s.text, s.mode)
}
