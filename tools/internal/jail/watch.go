package jail

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// watch checks the repository before and after a command, and repairs what a command must not leave
// for the user's own git: see [sight]. Without mounts, that includes the files that make git run
// programs: Landlock grants only whole trees, and granting the entries one by one would prevent new
// files at the top, and git's index. The files found are kept beside their places. A running job
// may change them again until the next check.
type watch struct {
	mu      sync.Mutex
	running int
	left    bool      // uncounted processes may continue
	began   time.Time // when the first command did
	before  []shot    // where there are no mounts
	sight   sight

	listings map[string]*listing
	listedAt map[string]time.Time
	shots    map[string]stated
	indexes  map[string]indexed
}

// Limits of the data remembered about a repository.
const (
	mostShot  = 1 << 20 // bytes of a file
	mostShots = 200     // files in hooks
	heldAside = ".held-by-marvin"
)

var errOutside = errors.New("it is not below what commands write to")

// shot is a file as it was.
type shot struct {
	path string
	kind fs.FileMode // its type
	mode fs.FileMode
	text []byte // or where a link leads
	none bool   // there was none
}

// begin looks at the repository, unless a command is running already, which may have changed
// it.
func (w *watch) begin(j *Jail) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began.IsZero() {
		w.began = time.Now()
	}
	if w.running++; w.running > 1 {
		return
	}
	if w.left {
		w.check(j)
		w.left = false
	}
	w.before = nil
	if lack(j.keeper.lacks.Load())&noMounts != 0 {
		for _, path := range j.watched() {
			w.before = append(w.before, shoot(path))
		}
	}
	w.sight = w.look(j)
}

// end repairs changes after a command; left says that processes of it continue unobserved.
func (w *watch) end(j *Jail, left bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.check(j)
	w.running--
	w.left = w.left || left
}

// again does the same while commands run.
func (w *watch) again(j *Jail) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running > 0 || w.left {
		w.check(j)
	}
}

func (w *watch) check(j *Jail) {
	if w.before != nil {
		w.putBack(j)
	}
	for range 5 { // what comes back may have a link in it
		if !w.right(j, w.sight, w.look(j)) {
			return
		}
	}
}

// putBack puts back what is protected, where nothing can be mounted.
func (w *watch) putBack(j *Jail) {
	known := map[string]bool{}
	for _, was := range w.before {
		known[was.path] = true
		if now := shoot(was.path); !now.same(was) {
			w.tell(j, was.path+" makes git run programs", was.putBack(j))
		}
	}
	for _, path := range j.watched() { // what there was nothing of
		if !known[path] {
			w.tell(j, path+" makes git run programs", shot{path: path, none: true}.putBack(j))
		}
	}
}

// tell notes what was put right, for [Keeper.PutRight].
func (w *watch) tell(j *Jail, what string, err error) {
	if err != nil {
		what += " (it could not be put right: " + err.Error() + ")"
	}
	k := j.keeper
	k.righted.Lock()
	defer k.righted.Unlock()
	if !slices.Contains(k.righted.all, what) {
		k.righted.all = append(k.righted.all, what)
	}
}

// PutRight says what commands left in repositories that the user's own git would have run, or
// written through, since it was last asked; "" for nothing. All of it was taken away, or put
// back as it was.
func (k *Keeper) PutRight() string {
	if k == nil {
		return ""
	}
	k.righted.Lock()
	defer k.righted.Unlock()
	all := k.righted.all
	k.righted.all = nil
	if more := len(all) - mostNamed; more > 0 {
		all = append(all[:mostNamed], fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, "; ")
}

// LookAgain looks at the repositories while commands run, as they must be right before git
// runs outside of the sandbox.
func (k *Keeper) LookAgain() {
	if k == nil {
		return
	}
	k.mu.Lock()
	all := slices.Collect(maps.Values(k.jails))
	k.mu.Unlock()
	for _, one := range all {
		one.watch.again(one)
	}
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
	root, name, err := j.open(s.path)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if err := root.Remove(name); err != nil {
			return err
		}
	} else if err == nil {
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
