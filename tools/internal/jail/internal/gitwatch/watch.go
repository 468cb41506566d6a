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

// Place describes the git repositories that the commands in one sandbox can write to.
type Place struct {
	Home    string   // the user's home directory, or "" if unset
	Write   []string // trees that commands can write to
	Links   []string // protected symbolic links in the Write trees
	Protect []string // protected files and directories in the Write trees
	Gits    []string // the git directories that commands can write to
	Trees   []Tree   // the working trees whose submodules [Watch] inspects
	Mounts  bool     // whether the jail uses mounts for protection
}

// Watch inspects the repository before and after a command. It reverts changes that would make the
// user's own git run programs or write through a link: see [sight].
//
// Without mounts, Watch also restores the files that make git run programs. Landlock cannot protect
// these files: it grants whole trees, and commands must be able to create other files in the same
// trees, such as git's index. A running job can change the files again. Watch notices this only at
// the next check.
type Watch struct {
	told   func(what string) // called with a description of each repair
	record record
	// records is the directory of this process's records, or "" if there is none. It is used by
	// [Watch.byCommands].
	records string

	mu      sync.Mutex
	running int
	left    bool      // whether processes of ended commands could be running
	began   time.Time // the start of the first command
	before  []shot    // used without mounts
	sight   sight
	fresh   bool // the state changed after the record was written
	repairs bool // whether [Watch.look] makes unreadable directories readable

	listings map[string]*listing
	listedAt map[string]time.Time
	shots    map[string]knownShot
	indexes  map[string]indexModules
}

// New returns a [Watch] that passes a description of each repair to report. book is the path of the
// record for [Recover], or "" for no record.
func New(report func(what string), book string) *Watch {
	w := &Watch{told: report, record: record{book: book}}
	if book != "" {
		w.records = filepath.Dir(book)
	}
	return w
}

// These limits apply to the stored data about a repository.
const (
	mostShot  = 1 << 20 // the maximum number of bytes stored from one file
	mostShots = 200     // after this many paths, [Place.watched] ignores files in directories
)

// HeldAside is the suffix that a file gets when Marvin moves it aside.
const HeldAside = ".held-by-marvin"

var errOutside = errors.New("it is outside the directories that commands may write to")

// shot is the state of a file at one moment.
type shot struct {
	path string
	kind fs.FileMode // the file type
	mode fs.FileMode
	text []byte // the content of a file, or the target of a link
	none bool   // the file did not exist
}

// Begin records the repository's state before a command. If another command is already running,
// Begin retains the earlier state.
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

// End reverts the changes that a command made. processesLeft means that processes of the command
// might still be running.
func (w *Watch) End(p Place, processesLeft bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.check(&p)
	w.running--
	if w.left = w.left || processesLeft; w.running == 0 && !w.left {
		w.record.close()
	}
}

// RevertNow reverts the changes that commands have made so far. The commands may still be running.
func (w *Watch) RevertNow(p Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running > 0 || w.left {
		w.check(&p)
	}
}

func (w *Watch) check(p *Place) {
	w.repairs = true
	defer func() { w.repairs = false }()
	if w.before != nil {
		w.look(p) // this call makes directories readable, so that w.putBack finds all hooks
		w.putBack(p)
	}
	for range 5 { // a restored path may contain another link
		if !w.revertChanges(p, w.sight, w.look(p)) {
			return
		}
	}
}

// putBack restores the protected files on a system without mounts.
func (w *Watch) putBack(p *Place) {
	known := map[string]bool{}
	for _, was := range w.before {
		known[was.path] = true
		if now := shoot(was.path); !now.equal(was) {
			w.tell(was.path+" makes git run programs", was.putBack(p))
		}
	}
	for _, path := range p.watched() { // new files are removed or moved aside
		if !known[path] {
			w.tell(path+" makes git run programs", shot{path: path, none: true}.putBack(p))
		}
	}
}

// tell invokes w.told with the description of a repair. If the repair failed, the description
// includes the error.
func (w *Watch) tell(what string, err error) {
	if err != nil {
		what += " (it could not be restored: " + err.Error() + ")"
	}
	w.told(what)
}

// reaches is true if a command could rename, remove or replace a name.
func (p *Place) reaches(name string) bool {
	return slices.ContainsFunc(p.Write, func(tree string) bool { return name != tree && disk.Contains(name, tree) })
}

// watched returns the protected paths. Each directory precedes the files in it.
func (p *Place) watched() (paths []string) {
	for _, path := range append(slices.Clone(p.Links), p.Protect...) {
		paths = withPath(paths, path)
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		_ = filepath.WalkDir(path, func(below string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && slices.Contains([]string{"objects", "logs", "refs", "lfs"}, entry.Name()) {
				return fs.SkipDir
			}
			if err == nil && !entry.IsDir() && len(paths) < mostShots && !strings.HasSuffix(below, HeldAside) && obeyed(path, below) {
				paths = withPath(paths, below)
			}
			return nil
		})
	}
	return paths
}

// obeyed returns true if a file below a protected directory is a hook or a configuration file that
// git obeys. The file can belong to the repository, a submodule or another worktree.
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

func (s shot) equal(other shot) bool {
	return s.none == other.none && s.kind == other.kind && (s.mode == other.mode || s.kind == fs.ModeDir) && bytes.Equal(s.text, other.text)
}

// putBack restores the recorded state, but changes nothing outside the writable trees. It removes a
// symbolic link that is now at the path, and adds the suffix [HeldAside] to the name of any other
// file there.
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

func withPath(paths []string, path string) []string {
	if slices.Contains(paths, path) {
		return paths
	}
	return append(paths, path)
}

// A sight is the state of git directories at one moment.
//
// Commands need write access to the git directory to commit. If a command replaced logs/HEAD or
// COMMIT_EDITMSG with a symbolic link, the user's own git, outside any sandbox, would write to the
// link's target. So commands must not add a symbolic link, a pipe, a file with several hard links,
// or a file that git reads as configuration.
//
// A directory is listed again only if its ctime has changed, because no command can set a ctime.
// Git's objects are not checked, because git creates them under a new name, never through a link.
type sight struct {
	odd     map[string]oddity // the oddities, by path
	dirs    map[string]bool
	config  map[string]shot     // files that git reads as configuration and that no mount protects
	steps   map[string]shot     // files from [foreignStrategies]
	heads   map[string]shot     // backups of the files HEAD, packed-refs and shallow
	modules map[string]bool     // the directories of the submodules
	owners  map[string][]string // maps each file to the submodules that make git read it
	partial bool                // a limit was reached, so not everything was read
}

// oddity is an entry that would make git write outside the git directory: a file that is not
// regular or that has several hard links. An unreadable directory is also an oddity, because it
// could contain such a file.
type oddity struct {
	kind  fs.FileMode
	leads string // the target of a symbolic link
	inode uint64
}

func (o oddity) String() string {
	const elsewhere = ", so git would have written to another place"
	switch {
	case o.kind&fs.ModeSymlink != 0:
		return "a symbolic link to " + o.leads + elsewhere
	case o.kind == fs.ModeDir:
		return "a directory without read permission, so a link in it would not have been found"
	case o.kind == 0:
		return "a file with a second name (a hard link)" + elsewhere
	}
	return "no ordinary file" + elsewhere
}

// open opens the innermost writable tree that contains path. The returned name is relative to this
// tree.
func (p *Place) open(path string) (root *os.Root, name string, err error) {
	tree := ""
	for _, each := range p.Write {
		if disk.Contains(path, each) && len(each) > len(tree) {
			tree = each
		}
	}
	if tree == "" || path == tree {
		return nil, "", errOutside
	}
	root, err = os.OpenRoot(tree)
	return root, strings.TrimPrefix(path, tree+"/"), err
}
