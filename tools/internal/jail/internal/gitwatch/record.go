package gitwatch

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"marvin/messages/lists"
	"marvin/tools/internal/jail/internal/disk"
)

// Before a command runs, Marvin saves the repository's state in a file that commands cannot change.
// If the Marvin process is killed, the next process repairs the repository: see [Recover].

// Records is a locked directory that contains the record files of one Marvin process.
// [Records.Close] releases the lock.
type Records struct {
	dir  string
	lock *os.File
	made int
}

const (
	recordsPrefix = "marvin-"
	lockName      = "lock"
	tempName      = "temp" // the file that stores the private directory's path
)

// OpenRecords creates a directory below parent for the records of this process. temp is the private
// directory of its commands.
func OpenRecords(parent, temp string) (*Records, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(parent, recordsPrefix)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, lockName)
	lock, err := os.OpenFile(name+".new", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil && !disk.Claim(lock) {
		err = errors.New("it cannot be locked")
	}
	if err == nil { // the rename is last: other Marvin processes skip directories without a lock
		err = errors.Join(os.WriteFile(filepath.Join(dir, tempName), []byte(temp), 0o600), os.Rename(name+".new", name))
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &Records{dir: dir, lock: lock}, nil
}

// New returns the path for a new record, or "" if r is nil.
func (r *Records) New() string {
	if r == nil {
		return ""
	}
	r.made++
	return filepath.Join(r.dir, strconv.Itoa(r.made))
}

// Close ends this process's period and removes its records. If a command has not ended, the records
// stay and the period stays open.
func (r *Records) Close() {
	if r == nil {
		return
	}
	if len(open(r.dir)) == 0 && endPeriod(r.dir) == nil {
		_ = os.RemoveAll(r.dir)
	}
	disk.Release(r.lock)
}

// open returns the paths of the records that are not idle.
func open(dir string) (books []string) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err == nil {
			books = append(books, filepath.Join(dir, entry.Name()))
		}
	}
	return books
}

// Recover repairs the changes made by commands whose Marvin process has ended. It finds the records
// of such processes below parent, and passes a description of each repair to report. The records of
// a process stay while isRunning returns true for the private directory of the process's commands.
func Recover(parent string, isRunning func(temp string) bool, report func(what string)) {
	entries, _ := os.ReadDir(parent) // entries is empty if the directory does not exist
	for _, entry := range entries {
		dir := filepath.Join(parent, entry.Name())
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|disk.NoFollow, 0)
		if err != nil {
			continue // not completed yet
		}
		if disk.Claim(lock) {
			books := open(dir)
			for _, book := range books {
				recoverFrom(book, report)
			}
			temp, _ := os.ReadFile(filepath.Join(dir, tempName))
			if (len(books) == 0 || !isRunning(string(temp))) && endPeriod(dir) == nil {
				_ = os.RemoveAll(dir)
			}
		}
		disk.Release(lock)
	}
}

// record is the record file of one jail. Between commands, the file is only renamed, because most
// commands change nothing in a repository.
type record struct {
	book string // "" for none
	text []byte // the present content
	set  bool   // whether the file exists under a name without ".idle"
}

// idle is the file name suffix of a record whose jail runs no command.
const idle = ".idle"

// mostSavedDirs is the maximum number of directories in a record. If there are more, the record
// lists none, and [Recover] cannot undo the move of a directory.
const mostSavedDirs = 2000

type saved struct {
	Place   Place
	Began   time.Time
	Before  []savedShot         `json:",omitempty"`
	Odd     map[string]savedOdd `json:",omitempty"`
	Config  []savedShot         `json:",omitempty"`
	Heads   []savedShot         `json:",omitempty"`
	Dirs    []string            `json:",omitempty"`
	Modules []string            `json:",omitempty"`
	Partial bool                `json:",omitempty"`
}

type savedShot struct {
	Path string
	Kind fs.FileMode `json:",omitempty"`
	Mode fs.FileMode `json:",omitempty"`
	Text []byte      `json:",omitempty"`
	None bool        `json:",omitempty"`
}

type savedOdd struct {
	Kind  fs.FileMode
	Leads string `json:",omitempty"`
	Inode uint64
}

// open writes the record, or renames an unchanged idle record. If writing fails, the command runs
// without a record.
func (r *record) open(w *Watch, p Place) {
	if r.book == "" || r.set {
		return
	}
	if r.text != nil && !w.fresh && os.Rename(r.book+idle, r.book) == nil {
		r.set = true
		return
	}
	text, err := json.Marshal(w.save(p))
	if err != nil || os.WriteFile(r.book, text, 0o600) != nil {
		_ = os.Remove(r.book) // an incomplete record would be useless
		return
	}
	_ = os.Remove(r.book + idle)
	r.text, r.set, w.fresh = text, true, false
}

// close marks the record as idle. The caller ensures that no command is running.
func (r *record) close() {
	if r.set {
		r.set = false
		_ = os.Rename(r.book, r.book+idle)
	}
}

func (w *Watch) save(p Place) saved {
	s := w.sight
	all := saved{Place: p, Began: w.began, Before: saveShots(w.before), Config: saveShots(values(s.config)), Heads: saveShots(values(s.heads)), Modules: disk.Sorted(s.modules), Partial: s.partial}
	if all.Dirs = disk.Sorted(s.dirs); len(all.Dirs) > mostSavedDirs {
		all.Dirs = nil
	}
	all.Odd = map[string]savedOdd{}
	for path, odd := range s.odd {
		all.Odd[path] = savedOdd{odd.kind, odd.leads, odd.inode}
	}
	return all
}

func values(all map[string]shot) []shot {
	return lists.Map(disk.Sorted(all), func(path string) shot { return all[path] })
}

func saveShots(all []shot) []savedShot {
	return lists.Map(all, func(one shot) savedShot { return savedShot{one.path, one.kind, one.mode, one.text, one.none} })
}

func loadShots(all []savedShot) (list []shot, byPath map[string]shot) {
	byPath = map[string]shot{}
	for _, one := range all {
		taken := shot{one.Path, one.Kind, one.Mode, one.Text, one.None}
		list, byPath[one.Path] = append(list, taken), taken
	}
	return list, byPath
}

// recoverFrom reads the record of an ended Marvin process from the given file. It reverts forbidden
// changes to the recorded repositories.
func recoverFrom(book string, report func(what string)) {
	text, err := os.ReadFile(book)
	var was saved
	if err != nil || json.Unmarshal(text, &was) != nil {
		return // the record is incomplete, so the command never started
	}
	w := New(report, "")
	w.began, w.records = was.Began, filepath.Dir(book)
	if before, _ := loadShots(was.Before); !was.Place.Mounts {
		w.before = before
	}
	w.sight = sight{odd: map[string]oddity{}, dirs: map[string]bool{}, modules: map[string]bool{}, partial: was.Partial}
	_, w.sight.config = loadShots(was.Config)
	_, w.sight.heads = loadShots(was.Heads)
	for path, odd := range was.Odd {
		w.sight.odd[path] = oddity{odd.Kind, odd.Leads, odd.Inode}
	}
	for _, dir := range was.Dirs {
		w.sight.dirs[dir] = true
	}
	for _, dir := range was.Modules {
		w.sight.modules[dir] = true
	}
	if slices.ContainsFunc(was.Place.Gits, func(git string) bool { return !disk.IsDir(filepath.Dir(git)) }) {
		return // the project was removed by the user
	}
	w.check(&was.Place)
}
