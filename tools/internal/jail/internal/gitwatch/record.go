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

	"marvin/tools/internal/jail/internal/disk"
)

// A Marvin that is killed puts nothing right. So while commands run, a file in Marvin's own
// directory, which no command can write, has the state of the repository before them. The next
// Marvin compares: see [Recover].

// Records are those files of one Marvin, in a directory with a lock that says that it lives.
type Records struct {
	dir  string
	lock *os.File
	made int
}

const (
	recordsPrefix = "marvin-"
	lockName      = "lock"
	tempName      = "temp" // a file that names the private directory of that Marvin's commands
)

// OpenRecords makes the directory of this Marvin in another one. temp is the private directory of
// its commands.
func OpenRecords(in, temp string) (*Records, error) {
	if err := os.MkdirAll(in, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(in, recordsPrefix)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, lockName)
	lock, err := os.OpenFile(name+".new", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil && !disk.Claim(lock) {
		err = errors.New("it cannot be locked")
	}
	if err == nil { // only with a lock do others look into it
		err = errors.Join(os.WriteFile(filepath.Join(dir, tempName), []byte(temp), 0o600), os.Rename(name+".new", name))
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &Records{dir: dir, lock: lock}, nil
}

// New is the name of one more record; "" without a directory.
func (r *Records) New() string {
	if r == nil {
		return ""
	}
	r.made++
	return filepath.Join(r.dir, strconv.Itoa(r.made))
}

// Close removes the records, except those of commands that continue.
func (r *Records) Close() {
	if r == nil {
		return
	}
	if len(open(r.dir)) == 0 {
		_ = os.RemoveAll(r.dir)
	}
	disk.Release(r.lock)
}

// open are the records of commands that did not end.
func open(dir string) (books []string) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err == nil {
			books = append(books, filepath.Join(dir, entry.Name()))
		}
	}
	return books
}

// Recover puts right what commands of ended Marvins left, whose records are in a directory. lives
// says whether a process of such a Marvin continues: then its records stay. told takes what is put
// right.
func Recover(in string, lives func(temp string) bool, told func(what string)) {
	entries, _ := os.ReadDir(in) // without it there are no records
	for _, entry := range entries {
		dir := filepath.Join(in, entry.Name())
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|disk.NoFollow, 0)
		if err != nil {
			continue // it is being made right now
		}
		if disk.Claim(lock) {
			books := open(dir)
			for _, book := range books {
				recoverFrom(book, told)
			}
			temp, _ := os.ReadFile(filepath.Join(dir, tempName))
			if len(books) == 0 || !lives(string(temp)) {
				_ = os.RemoveAll(dir)
			}
		}
		disk.Release(lock)
	}
}

// record is that file. It keeps its text while no command runs, under another name, because most
// commands change nothing in a repository.
type record struct {
	book string // "" for none
	text []byte // what is written
	set  bool   // it has its name
}

// idle ends the name of the file while no command runs.
const idle = ".idle"

// mostSavedDirs bounds the directories in a record. They serve to move one back.
const mostSavedDirs = 2000

// saved is the text of a record.
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

// open writes the record, or gives it its name again if nothing changed. A full disk is no reason
// not to run a command.
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
		_ = os.Remove(r.book) // half a record says nothing
		return
	}
	_ = os.Remove(r.book + idle)
	r.text, r.set, w.fresh = text, true, false
}

// close says that no command runs any more.
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

func values(all map[string]shot) (list []shot) {
	for _, path := range disk.Sorted(all) {
		list = append(list, all[path])
	}
	return list
}

func saveShots(all []shot) (list []savedShot) {
	for _, one := range all {
		list = append(list, savedShot{one.path, one.kind, one.mode, one.text, one.none})
	}
	return list
}

func loadShots(all []savedShot) (list []shot, byPath map[string]shot) {
	byPath = map[string]shot{}
	for _, one := range all {
		taken := shot{one.Path, one.Kind, one.Mode, one.Text, one.None}
		list, byPath[one.Path] = append(list, taken), taken
	}
	return list, byPath
}

// recoverFrom puts right what commands left whose Marvin was killed while they ran, or which continued
// after its end.
func recoverFrom(book string, told func(what string)) {
	text, err := os.ReadFile(book)
	var was saved
	if err != nil || json.Unmarshal(text, &was) != nil {
		return // it was cut off before its command began
	}
	w := New(told, "")
	w.began = was.Began
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
		return // the user removed the project
	}
	w.check(&was.Place)
}
