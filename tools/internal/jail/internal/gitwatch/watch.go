// Package gitwatch finds what commands in the sandbox changed of the settings that git reads, and
// puts it back.
package gitwatch

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/tools/internal/jail/internal/disk"
)

// Place is what commands of one sandbox write to, as far as git matters.
type Place struct {
	Home    string   // of the user, "" if unset
	Write   []string // the trees to which commands write
	Links   []string // symbolic links there, and
	Protect []string // other paths, that commands cannot change where there are mounts
	Gits    []string // directories of git to which commands write
	Trees   []Tree   // working trees whose submodules the user's git status reads
	Mounts  bool
}

// Watch checks the repository before and after a command, and repairs what a command must not leave
// for the user's own git: see [sight]. Without mounts, that includes the files that make git run
// programs: Landlock grants only whole trees, and granting the entries one by one would prevent new
// files at the top, and git's index. The files found are kept beside their places. A running job
// may change them again until the next check.
type Watch struct {
	told   func(what string) // takes what was put right
	record record

	mu      sync.Mutex
	running int
	left    bool      // uncounted processes may continue
	began   time.Time // when the first command did
	before  []shot    // where there are no mounts
	sight   sight
	fresh   bool // something was read since the record was written

	listings map[string]*listing
	listedAt map[string]time.Time
	shots    map[string]stated
	indexes  map[string]indexed
}

// New makes a watch. told takes what it puts right, in words. book is a file in Marvin's own
// directory, for [Recover]; "" for none.
func New(told func(what string), book string) *Watch {
	return &Watch{told: told, record: record{book: book}}
}

// Limits of the data remembered about a repository.
const (
	mostShot  = 1 << 20 // bytes of a file
	mostShots = 200     // files in hooks
)

// HeldAside ends the name under which a file of a command is kept beside its place.
const HeldAside = ".held-by-marvin"

var errOutside = errors.New("it is not below what commands write to")

// shot is a file as it was.
type shot struct {
	path string
	kind fs.FileMode // its type
	mode fs.FileMode
	text []byte // or where a link leads
	none bool   // there was none
}

// Begin looks at the repository, unless a command is running already, which may have changed
// it.
func (w *Watch) Begin(p Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began.IsZero() {
		w.began = time.Now()
	}
	if w.running++; w.running > 1 {
		return
	}
	if w.left {
		w.check(&p)
		w.left = false
	}
	w.before = nil
	if !p.Mounts {
		for _, path := range p.watched() {
			w.before, w.fresh = append(w.before, shoot(path)), true
		}
	}
	w.sight = w.look(&p)
	w.record.open(w, p)
}

// End repairs changes after a command; left says that processes of it continue unobserved.
func (w *Watch) End(p Place, left bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.check(&p)
	w.running--
	if w.left = w.left || left; w.running == 0 && !w.left {
		w.record.close()
	}
}

// Again does the same while commands run.
func (w *Watch) Again(p Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running > 0 || w.left {
		w.check(&p)
	}
}

func (w *Watch) check(p *Place) {
	if w.before != nil {
		w.putBack(p)
	}
	for range 5 { // what comes back may have a link in it
		if !w.right(p, w.sight, w.look(p)) {
			return
		}
	}
}

// putBack puts back what is protected, where nothing can be mounted.
func (w *Watch) putBack(p *Place) {
	known := map[string]bool{}
	for _, was := range w.before {
		known[was.path] = true
		if now := shoot(was.path); !now.same(was) {
			w.tell(was.path+" makes git run programs", was.putBack(p))
		}
	}
	for _, path := range p.watched() { // what there was nothing of
		if !known[path] {
			w.tell(path+" makes git run programs", shot{path: path, none: true}.putBack(p))
		}
	}
}

// tell says what was put right.
func (w *Watch) tell(what string, err error) {
	if err != nil {
		what += " (it could not be put right: " + err.Error() + ")"
	}
	w.told(what)
}

// reaches says whether a command could rename, remove or replace what has this name: it lies below
// a tree that commands write to.
func (p *Place) reaches(name string) bool {
	return slices.ContainsFunc(p.Write, func(tree string) bool { return name != tree && disk.Within(name, tree) })
}

// watched is what is protected; directories come before the files in them.
func (p *Place) watched() (paths []string) {
	for _, path := range append(slices.Clone(p.Links), p.Protect...) {
		paths = with(paths, path)
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		_ = filepath.WalkDir(path, func(below string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && slices.Contains([]string{"objects", "logs", "refs", "lfs"}, entry.Name()) {
				return fs.SkipDir
			}
			if err == nil && !entry.IsDir() && len(paths) < mostShots && !strings.HasSuffix(below, HeldAside) && obeyed(path, below) {
				paths = with(paths, below)
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
		s.text = disk.Beginning(path, mostShot)
	}
	return s
}

func (s shot) same(other shot) bool {
	return s.none == other.none && s.kind == other.kind && (s.mode == other.mode || s.kind == fs.ModeDir) && bytes.Equal(s.text, other.text)
}

// putBack has a file as it was, and what is there now beside it. It stays in the tree that
// commands write to, whatever links they made.
func (s shot) putBack(p *Place) error {
	root, name, err := p.open(s.path)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if err := root.Remove(name); err != nil {
			return err
		}
	} else if err == nil {
		_ = root.RemoveAll(name + HeldAside)
		if err := root.Rename(name, name+HeldAside); err != nil {
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

func with(paths []string, path string) []string {
	if slices.Contains(paths, path) {
		return paths
	}
	return append(paths, path)
}

// A command must be able to write in the git directory, or it could not commit. So it can replace
// logs/HEAD or COMMIT_EDITMSG by a symbolic link, and the user's own git, outside any sandbox, then
// writes through it to any file of the user. A sight is the state of git directories at one moment.
// After a command it may contain nothing that was not there before: no link, no pipe, no file with
// a second name, and no other file that git reads as configuration.
//
// Directories are listed again only if their ctime changed, which no command can set. Git's objects
// are not checked: git creates them under a new name, never through a link.
type sight struct {
	odd     map[string]oddity // what git would write through, by its path
	dirs    map[string]bool
	config  map[string]shot // what git reads as configuration, and mounts do not hold
	heads   map[string]shot // what a repository is nothing without
	modules map[string]bool // repositories in the index: the user's git status reads those
	partial bool            // there was more than is looked at
}

// oddity is an entry of a git directory that is neither an ordinary file nor a directory.
type oddity struct {
	kind  fs.FileMode
	leads string // where a symbolic link leads
	inode uint64
}

func (o oddity) String() string {
	switch {
	case o.kind&fs.ModeSymlink != 0:
		return "a symbolic link to " + o.leads
	case o.kind == 0:
		return "a file that has another name too"
	}
	return "no ordinary file"
}

// open opens the tree that commands write to in which a path lies, and says how the path is
// called there.
func (p *Place) open(path string) (root *os.Root, name string, err error) {
	tree := ""
	for _, each := range p.Write {
		if disk.Within(path, each) && len(each) > len(tree) {
			tree = each
		}
	}
	if tree == "" || path == tree {
		return nil, "", errOutside
	}
	root, err = os.OpenRoot(tree)
	return root, strings.TrimPrefix(path, tree+"/"), err
}
