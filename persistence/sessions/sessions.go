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

// Store contains conversations. Each conversation is a file DIR/PROJECT/ID.jsonl. The first line is
// the [Header], and each following line is an [Entry]. Files only grow. The index is derived from
// these files and can be rebuilt from them.
type Store struct {
	dir    string // "" if there is no home
	home   *store.Home
	looked func(all int) // the function passed to Watch; may be nil

	passing bool // see Answers
}

// Header is the first line of a session's file.
type Header struct {
	Format  int       `json:"marvin_session"` // 1
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Dir     string    `json:"dir,omitempty"` // working directory, absolute
	Profile string    `json:"profile,omitempty"`
	Forked  *ForkedAt `json:"forked,omitempty"`
	// Imported is "" or has the form "PROGRAM ID": the program from which the session was imported,
	// and the session's ID in that program.
	Imported string `json:"imported,omitempty"`
}

// ForkedAt identifies the session and the entry from which this session was forked.
type ForkedAt struct {
	Session string `json:"session"`
	Entry   int64  `json:"entry"`
}

// Entry is one step of a session. Steps form a tree, and the current branch ends at the last line
// of the file.
type Entry struct {
	ID     int64           `json:"id"`               // counts from 1 within the file
	Parent int64           `json:"parent,omitempty"` // 0 for the first entry
	Of     int64           `json:"of,omitempty"`     // entry to which this entry refers, or 0
	Kind   string          `json:"kind"`             // chosen by the package that writes the body; this package uses only the kinds below
	At     time.Time       `json:"at"`
	About  *About          `json:"about,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// LeafEntry is the [Entry.Kind] for a change of the current branch's end. The new end is
// [Entry.Parent].
const LeafEntry = "leaf"

// TitleEntry is the [Entry.Kind] for a change to a session's name or title. The change does not
// affect [Info.Updated].
const TitleEntry = "title"

// StateEntry is the [Entry.Kind] for a change to a conversation's state. The change does not affect
// [Info.Updated].
const StateEntry = "state"

// About contains the contribution of an entry to the [Info] of its session. Turns and Cost are
// summed. [About.First] keeps its earliest nonempty value, and each remaining string keeps its
// latest nonempty value.
type About struct {
	Name     string  `json:"name,omitempty"`  // unique, chosen by the user
	Title    string  `json:"title,omitempty"` // shown instead of First
	First    string  `json:"first,omitempty"` // usually the first prompt; shown if Title is empty
	Last     string  `json:"last,omitempty"`  // the last prompt
	Model    string  `json:"model,omitempty"`
	Branch   string  `json:"branch,omitempty"`   // the git branch
	Terminal string  `json:"terminal,omitempty"` // the terminal of the last prompt
	Turns    int     `json:"turns,omitempty"`
	Cost     float64 `json:"cost,omitempty"` // US dollars
}

// Errors returned by functions that open or read a session.
var (
	ErrNoSession      = errors.New("there is no such session")
	ErrDamagedSession = errors.New("this is not a session of Marvin")
)

// New returns the store of one user's conversations. New does not access the disk.
func New(h *store.Home) Store {
	if h.Data == "" {
		return Store{home: h}
	}
	return Store{dir: filepath.Join(h.Data, "sessions"), home: h}
}

// Watch returns a copy of the store that reports progress while it lists or checks sessions. Before
// the copy reads a file, it calls progress with the total number of files that it has to read.
func (s Store) Watch(progress func(total int)) Store {
	s.looked = progress
	return s
}

func looks(s Store, all int) {
	if s.looked != nil {
		s.looked(all)
	}
}

// Dir returns the directory that contains the sessions, or "" if nothing can be stored.
func (s Store) Dir() string { return s.dir }

// project returns the name of the store's subdirectory for a working directory. The name ends with
// a hash, because several working directories can have the same base name.
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

// newSessionID returns an id that begins with the time, so that ids sort chronologically.
func newSessionID(now time.Time) string {
	return now.UTC().Format("20060102-150405-") + strings.ToLower(rand.Text()[:6])
}

// NewID returns an id that can be passed to [Store.Create] later.
func (s Store) NewID() string { return newSessionID(s.home.Now()) }

func (s Store) path(id string) (string, error) {
	if !store.SingleElement(id) || s.dir == "" {
		return "", fmt.Errorf("%w: %q", ErrNoSession, id)
	}
	projects, _ := os.ReadDir(s.dir) // if the directory is missing, there are no sessions
	for _, project := range projects {
		path := filepath.Join(s.dir, project.Name(), id+".jsonl")
		// os.Lstat is faster than filepath.Glob, which takes 10 ms to read 10,000 names.
		if _, err := os.Lstat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %q", ErrNoSession, id)
}

// Create begins a session and locks it until the caller closes it. Create sets Format and Created
// in the header, and generates an ID if the header has none.
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
	if err != nil { // remove the file, because its header is missing or incomplete
		return nil, errors.Join(fmt.Errorf("keep the conversation: %w", err), session.Close(), store.RemoveIfThere(path), store.RemoveIfThere(store.HiddenBeside(path, ".lock")))
	}
	session.info = Info{Header: header, Path: path, Updated: header.Created}
	if s.passing {
		_ = s.dropOld(filepath.Base(dir)) // the next run tries again
	}
	return session, nil
}
