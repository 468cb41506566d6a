package artifacts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"marvin/persistence/internal/store"
	"marvin/persistence/undolog"
)

// Limits for stored tool output.
const (
	MaxSize  = 64 << 20  // bytes per artifact; further output is only counted
	maxTotal = 256 << 20 // bytes per conversation; the oldest artifacts are removed first
)

// Artifact describes stored tool output that is too long to show at once.
type Artifact struct {
	Number  int       `json:"number"`         // counts from 1 within the conversation
	Name    string    `json:"name,omitempty"` // optional; see [Store.Find]
	Tool    string    `json:"tool,omitempty"`
	Title   string    `json:"title,omitempty"` // the title in the user's list of artifacts
	Media   string    `json:"media,omitempty"` // the media type; "" means text
	At      time.Time `json:"at"`
	Size    int64     `json:"size"`              // stored bytes
	Total   int64     `json:"total"`             // bytes of the whole output
	Lines   int64     `json:"lines,omitempty"`   // lines in the stored part
	Hash    string    `json:"hash,omitempty"`    // "" for text that was stored piece by piece
	Foreign bool      `json:"foreign,omitempty"` // written by someone other than the user
}

// The errors that [Store.Open] returns.
var (
	ErrNone = errors.New("there is no such artifact in this conversation")
	ErrGone = errors.New("its content is no longer stored")
)

// Store contains the artifacts of one conversation. Each artifact consists of a file such as
// DIR/NUMBER.txt or DIR/NUMBER.png, and a line in DIR/index.jsonl. The artifacts of a stored
// conversation are removed with the conversation. Other artifacts are removed when the process
// ends. After a crash, a later Marvin process removes them. Files are not synced to disk. A Store
// is safe for concurrent use. A nil Store stores nothing.
type Store struct {
	home *store.Home
	dir  string // if the conversation is not stored, settle() sets this field

	mu     sync.Mutex
	lock   *flock.Flock // the lock of a temporary directory; nil if dir is not temporary
	loaded bool
	all    []Artifact
	next   int
	torn   bool // whether the index ends with a partial line
	closed bool
}

// New returns the artifacts of the stored conversation with the given ID. It does not access the
// disk. An empty ID means that the conversation is not stored.
func New(h *store.Home, id string) *Store {
	return &Store{home: h, dir: h.DataOf("artifacts", id)}
}

// Forget removes the artifacts of the conversation with the given ID.
func Forget(h *store.Home, id string) error {
	return os.RemoveAll(h.DataOf("artifacts", id)) // removes nothing if there is no such directory
}

// List returns the stored artifacts, oldest first.
func (a *Store) List() []Artifact {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	return slices.Clone(a.all)
}

// Find returns the newest artifact with the given name.
func (a *Store) Find(name string) (Artifact, bool) {
	for _, one := range slices.Backward(a.List()) {
		if name != "" && one.Name == name {
			return one, true
		}
	}
	return Artifact{}, false
}

// Open opens the content of an artifact. Every error matches [ErrNone] or [ErrGone].
func (a *Store) Open(number int) (*os.File, Artifact, error) {
	if a == nil {
		return nil, Artifact{}, ErrNone
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	at := slices.IndexFunc(a.all, func(one Artifact) bool { return one.Number == number })
	if at < 0 && number > 0 && number < a.next {
		return nil, Artifact{}, ErrGone
	}
	if at < 0 {
		return nil, Artifact{}, ErrNone
	}
	file, err := store.OpenFile(a.path(a.all[at]), os.O_RDONLY, 0)
	if err != nil {
		return nil, a.all[at], fmt.Errorf("%w: %w", ErrGone, err)
	}
	return file, a.all[at], nil
}

// Put stores content as an artifact. If an equal artifact exists, Put returns that artifact.
func (a *Store) Put(about Artifact, content []byte) (Artifact, error) {
	about.Hash = undolog.Hash(content)
	if one, ok := a.find(about); ok {
		return one, nil
	}
	w, err := a.Begin(about)
	if err != nil {
		return Artifact{}, err
	}
	_, _ = w.Write(content) // w.Close returns the error
	return w.Close()
}

// find returns the first artifact that equals the argument in Hash, Foreign, Name and Media.
func (a *Store) find(about Artifact) (Artifact, bool) {
	for _, one := range a.List() {
		if one.Hash == about.Hash && one.Foreign == about.Foreign && one.Name == about.Name && one.Media == about.Media {
			return one, true
		}
	}
	return Artifact{}, false
}

// Temporary reports whether there are artifacts that are removed at the end of the process.
func (a *Store) Temporary() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lock != nil
}

// Close removes the artifacts if the conversation is not stored. Later calls of [Store.Begin] fail.
func (a *Store) Close() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	if a.lock == nil {
		return nil
	}
	lock := a.lock
	a.lock = nil
	return errors.Join(os.RemoveAll(a.dir), os.Remove(lock.Path()), lock.Close())
}

// Dir returns the artifact directory, or "" if there is no directory yet.
func (a *Store) Dir() string {
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.dir
}

// Place returns the path of an artifact's file.
func (a *Store) Place(number int) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range a.all {
		if one.Number == number {
			return a.path(one)
		}
	}
	return a.path(Artifact{Number: number})
}

func (a *Store) path(one Artifact) string {
	return filepath.Join(a.dir, strconv.Itoa(one.Number)+extension(one.Media))
}

// load decodes the index that an earlier process wrote. It skips damaged lines, and artifacts whose
// files are missing. Numbers in the index or in file names are not used again.
func (a *Store) load() {
	if a.loaded {
		return
	}
	a.loaded, a.next = true, 1
	if a.dir == "" {
		return
	}
	// If the index cannot be read, the file names provide the numbers.
	text, _ := store.ReadWhole(filepath.Join(a.dir, "index.jsonl"), store.DocumentLimit)
	a.torn = len(text) > 0 && text[len(text)-1] != '\n'
	for line := range bytes.Lines(text) {
		var one Artifact
		if json.Unmarshal(line, &one) != nil || one.Number < 1 || one.Number > store.MaxNumber {
			continue
		}
		a.next = max(a.next, one.Number+1)
		if info, err := os.Lstat(a.path(one)); err == nil && info.Mode().IsRegular() {
			a.all = append(a.all, one)
		}
	}
	entries, _ := os.ReadDir(a.dir)
	// A killed process can leave partial files, whose numbers must not be reused.
	for _, entry := range entries {
		if number, err := strconv.Atoi(strings.TrimSuffix(entry.Name(), filepath.Ext(entry.Name()))); err == nil && number <= store.MaxNumber {
			a.next = max(a.next, number+1)
		}
	}
	slices.SortFunc(a.all, func(x, y Artifact) int { return cmp.Compare(x.Number, y.Number) })
}

// note adds a finished artifact to a.all and to the index file.
func (a *Store) note(one Artifact, index *os.File) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, one)
	line, err := store.EncodeValue(one)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(a.path(one)); err != nil { // the file was removed, perhaps together with the index
		return err
	}
	if a.torn {
		line = slices.Insert(line, 0, '\n') // otherwise the record would continue the partial line of a dead process
	}
	_, err = index.Write(append(line, '\n'))
	a.torn = a.torn && err != nil
	return err
}

// makeRoom removes the oldest artifacts until there is room for a new artifact of maximum size.
func (a *Store) makeRoom() {
	var size int64
	for _, one := range a.all {
		size += one.Size
	}
	for len(a.all) > 0 && size > maxTotal-MaxSize {
		_ = os.Remove(a.path(a.all[0])) // a file that cannot be removed is no longer counted
		size -= a.all[0].Size
		a.all = a.all[1:]
	}
}
