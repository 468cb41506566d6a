package sessions

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/persistence/internal/store"
)

// Store are the conversations that are kept, one file each: DIR/PROJECT/ID.jsonl with a
// header on the first line and an [Entry] on each other one. Files only grow. What is
// derived from them, the index, can be lost without loss.
type Store struct {
	dir    string // "" if there is no home
	home   *store.Home
	looked func(all int) // see Watch; may be nil

	passing bool // see Answers
}

// Header is the first line of a session's file.
type Header struct {
	Format  int       `json:"marvin_session"` // 1
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Dir     string    `json:"dir,omitempty"` // where it began, absolute
	Profile string    `json:"profile,omitempty"`
	Forked  *ForkedAt `json:"forked,omitempty"`
	// Imported is the program and the name that another assistant has for it.
	Imported string `json:"imported,omitempty"`
}

// ForkedAt is where a session was taken from another one.
type ForkedAt struct {
	Session string `json:"session"`
	Entry   int64  `json:"entry"`
}

// Entry is one step of a session. Steps form a tree: each has its predecessor as parent, and the
// current branch is that of the last line.
type Entry struct {
	ID     int64           `json:"id"`               // counts from 1 within the file
	Parent int64           `json:"parent,omitempty"` // 0 for the first
	Of     int64           `json:"of,omitempty"`     // another entry that it is about, 0 for none
	Kind   string          `json:"kind"`             // chosen by the body's author, except those below
	At     time.Time       `json:"at"`
	About  *About          `json:"about,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// LeafEntry is the kind of an entry that only makes its parent the end of the current branch.
const LeafEntry = "leaf"

// TitleEntry is the kind of an entry that only changes the title; it is not use of the session.
const TitleEntry = "title"

// StateEntry is the kind of an entry that only changes the state of the conversation; it is not use
// of the session.
const StateEntry = "state"

// About is what a list of sessions shows of an entry. Texts replace what an earlier entry
// said, numbers are added to it.
type About struct {
	Name     string  `json:"name,omitempty"`     // unique among people's sessions, chosen by them
	Title    string  `json:"title,omitempty"`    // for people
	First    string  `json:"first,omitempty"`    // the title until the user sets one
	Last     string  `json:"last,omitempty"`     // what was asked last
	Model    string  `json:"model,omitempty"`    // who answers
	Branch   string  `json:"branch,omitempty"`   // of git
	Terminal string  `json:"terminal,omitempty"` // where it was last talked in
	Turns    int     `json:"turns,omitempty"`
	Cost     float64 `json:"cost,omitempty"` // US dollars
}

// What is wrong with a session that is asked for.
var (
	ErrNoSession      = errors.New("there is no such session")
	ErrDamagedSession = errors.New("this is not a session of Marvin")
)

// Of gives the kept conversations. It touches nothing on disk.
func Of(h *store.Home) Store {
	if h.Data == "" {
		return Store{home: h}
	}
	return Store{dir: filepath.Join(h.Data, "sessions"), home: h}
}

// Watch returns the same sessions, but a list or a check calls looked for each file it reads, with
// the number of files: without an index it reads them all.
func (s Store) Watch(looked func(all int)) Store {
	s.looked = looked
	return s
}

// looks says that one more file is read.
func looks(s Store, all int) {
	if s.looked != nil {
		s.looked(all)
	}
}

// Dir is where they are, "" if nothing can be stored.
func (s Store) Dir() string { return s.dir }

// project names the directory of the sessions of a working directory: readable, and
// another one for each path.
func project(dir string) string {
	if dir == "" {
		return "nowhere"
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(dir)) // it never fails
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, filepath.Base(dir))
	return fmt.Sprintf("%.40s-%08x", strings.Trim(name, ".-"), hash.Sum32())
}

// newSessionID sorts by time, and no two are the same.
func newSessionID(now time.Time) string {
	return now.UTC().Format("20060102-150405-") + strings.ToLower(rand.Text()[:6])
}

// NewID is the ID of a session that begins later.
func (s Store) NewID() string { return newSessionID(s.home.Now()) }

// path is the file of a session that is there.
func (s Store) path(id string) (string, error) {
	if !store.SingleElement(id) || s.dir == "" {
		return "", fmt.Errorf("%w: %q", ErrNoSession, id)
	}
	projects, _ := os.ReadDir(s.dir) // without it there is no session either
	for _, project := range projects {
		path := filepath.Join(s.dir, project.Name(), id+".jsonl")
		if _, err := os.Lstat(path); err == nil { // [filepath.Glob] would read all names: 10 ms of 10,000
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %q", ErrNoSession, id)
}

// Create begins a session and makes the caller the only one that adds to it. Close it
// after use. Format and Created of the header are filled in, and the ID if it has none; [Store.NewID]
// makes one.
func (s Store) Create(header Header) (*Session, error) {
	if s.dir == "" {
		return nil, store.ErrNoHome
	}
	header.Format, header.Created = 1, s.home.Now()
	header.ID = cmp.Or(header.ID, newSessionID(header.Created))
	dir := filepath.Join(s.dir, project(header.Dir))
	if err := store.MakeDir(dir); err != nil {
		return nil, fmt.Errorf("keep the conversation: %w", err)
	}
	line, err := store.EncodeValue(header)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, header.ID+".jsonl")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep the conversation: %w", err)
	}
	session := &Session{sessions: s, path: path, file: file, header: header}
	err = errors.Join(session.claim(), store.MakePrivate(file))
	if err == nil {
		_, err = file.Write(append(line, '\n'))
	}
	if err != nil { // a file without a header would be reported as damaged forever
		return nil, errors.Join(fmt.Errorf("keep the conversation: %w", err), session.Close(), store.RemoveIfThere(path), store.RemoveIfThere(store.HiddenBeside(path, ".lock")))
	}
	session.info = Info{Header: header, Path: path, Updated: header.Created}
	if s.passing {
		_ = s.dropOld(filepath.Base(dir)) // the next run tries again
	}
	return session, nil
}
