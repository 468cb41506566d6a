package undolog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"marvin/persistence/internal/store"
)

// Limits on the undo data of a conversation, in bytes.
const (
	maxFile  = 8 << 20  // the maximum size of one stored file
	maxTotal = 64 << 20 // the maximum size of all stored files
)

// The kinds of a [Record].
const (
	Write     = "write" // a tool wrote, created or deleted the file
	KindUndo  = "undo"  // the user undid earlier changes
	KindRedo  = "redo"  // the user undid an undo
	Void      = "void"  // the writes in [Record.Of] did not happen
	KindOther = "other" // a call that cannot be undone
	Call      = "call"  // a call that another call can undo ([Record.Back])
)

// Record is an entry of a [Journal], usually for one change to one file. A tool's file change is
// recorded before the file changes. Every other event is recorded after it happens.
type Record struct {
	ID         int64       `json:"id"` // number in the conversation, starting at 1
	Kind       string      `json:"kind"`
	Of         []int64     `json:"of,omitempty"` // IDs of the records that this record undoes
	At         time.Time   `json:"at"`
	Turn       string      `json:"turn,omitempty"`
	Call       string      `json:"call,omitempty"`
	Tool       string      `json:"tool,omitempty"`
	Title      string      `json:"title,omitempty"` // set for a call that cannot be undone
	Dir        string      `json:"dir,omitempty"`   // absolute, without symbolic links
	Name       string      `json:"name,omitempty"`  // relative to Dir, without symbolic links
	Path       string      `json:"path,omitempty"`  // absolute path that the tool used for the file
	Before     string      `json:"before,omitempty"`
	BeforeMode fs.FileMode `json:"before_mode,omitempty"`
	After      string      `json:"after,omitempty"` // hash of the new content; "" if there is no file
	AfterMode  fs.FileMode `json:"after_mode,omitempty"`
	Made       []string    `json:"made,omitempty"` // new directories, as paths relative to Dir
	Lost       string      `json:"lost,omitempty"` // why the change cannot be undone
	Back       *Reversal   `json:"back,omitempty"` // the call that undoes this one
}

// ErrGone reports that the content of a file is no longer stored, or is damaged.
var ErrGone = errors.New("its earlier content is no longer stored")

// Journal stores the earlier contents of changed files in DIR/images/HASH, and the list of changes
// in DIR/journal.jsonl. It never waits for the disk, so a power cut may lose the last entries of
// the list. It is safe for concurrent use.
type Journal struct {
	dir string // "" if the data stays in memory
	now func() time.Time

	mu      sync.Mutex
	loaded  bool
	records []Record
	images  map[string]*undoImage
	size    int64
}

type undoImage struct {
	size    int64
	last    int64  // ID of the newest record that needs the content
	content []byte // set only if the content is kept in memory
}

// Of creates the [Journal] for the conversation with the given ID. The journal stays in memory if
// Marvin stores no conversations or if the ID is not a plain name.
func Of(h *store.Home, id string) *Journal {
	return &Journal{now: h.Now, images: map[string]*undoImage{}, dir: h.DataOf("undo", id)}
}

// Forget removes the undo data of the conversation with the given ID.
func Forget(h *store.Home, id string) error {
	return os.RemoveAll(h.DataOf("undo", id))
}

// Hash returns the name under which the content of a file is stored.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Records returns all records, oldest first.
func (u *Journal) Records() ([]Record, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	err := u.load()
	return slices.Clone(u.records), err
}

// Content returns the content with the given hash, or [ErrGone].
func (u *Journal) Content(hash string) ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.load(); err != nil {
		return nil, err
	}
	image := u.images[hash]
	switch {
	case image == nil:
		return nil, ErrGone
	case u.dir == "":
		return image.content, nil
	}
	content, err := store.ReadWhole(u.image(hash), maxFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGone, err)
	}
	if Hash(content) != hash {
		return nil, ErrGone
	}
	return content, nil
}

// Add appends records and sets their IDs, times and hashes. The element before[i] is the earlier
// content of the file in records[i], or nil if there is none. If that content cannot be stored, Add
// sets Lost in the record. After an error, the records might exist only in memory.
func (u *Journal) Add(records []Record, before [][]byte) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	err := u.load()
	var lines bytes.Buffer
	for i := range records {
		one := &records[i]
		one.ID, one.At = u.last()+1, u.now()
		if before[i] != nil {
			one.Before = Hash(before[i])
			if keepErr := u.keep(one, before[i]); keepErr != nil {
				one.Lost, err = "its earlier content could not be stored: "+keepErr.Error(), errors.Join(err, keepErr)
			}
		}
		u.records = append(u.records, *one)
		line, encodeErr := store.EncodeValue(one)
		err = errors.Join(err, encodeErr)
		lines.Write(append(line, '\n'))
	}
	if u.dir != "" {
		err = errors.Join(err, u.append(lines.Bytes()))
	}
	if err != nil {
		return fmt.Errorf("back up file contents: %w", err)
	}
	return nil
}

func (u *Journal) last() int64 {
	if len(u.records) == 0 {
		return 0
	}
	return u.records[len(u.records)-1].ID
}

func (u *Journal) append(lines []byte) error {
	if err := store.MakeDir(u.dir); err != nil {
		return err
	}
	if err := store.AppendTo(u.journal(), lines); err != nil {
		_ = store.AppendTo(u.journal(), []byte{'\n'}) // end the partial line
		return err
	}
	return nil
}

// keep saves the content under the hash in record.Before. It removes the oldest contents to make
// room. If the content is larger than maxFile, keep only sets record.Lost.
func (u *Journal) keep(record *Record, content []byte) error {
	if len(content) > maxFile {
		record.Lost = fmt.Sprintf("its earlier content was larger than %d MiB, the limit for one backup", maxFile>>20)
		return nil
	}
	if image := u.images[record.Before]; image != nil {
		image.last = record.ID
		return nil
	}
	for size := int64(len(content)); u.size+size > maxTotal; {
		if err := u.forgetOldest(); err != nil {
			return err
		}
	}
	image := &undoImage{size: int64(len(content)), last: record.ID}
	if u.dir == "" {
		image.content = bytes.Clone(content)
	} else if err := u.store(record.Before, content); err != nil {
		return err
	}
	u.images[record.Before], u.size = image, u.size+image.size
	return nil
}

func (u *Journal) store(hash string, content []byte) error {
	if err := store.MakeDir(filepath.Dir(u.image(hash))); err != nil {
		return err
	}
	return store.Replace(u.image(hash), content, store.Fleeting)
}

func (u *Journal) forgetOldest() error {
	oldest := ""
	for hash, image := range u.images {
		if oldest == "" || image.last < u.images[oldest].last {
			oldest = hash
		}
	}
	if u.dir != "" {
		if err := store.RemoveIfThere(u.image(oldest)); err != nil {
			return err
		}
	}
	u.size -= u.images[oldest].size
	delete(u.images, oldest)
	return nil
}

func (u *Journal) journal() string          { return filepath.Join(u.dir, "journal.jsonl") }
func (u *Journal) image(hash string) string { return filepath.Join(u.dir, "images", hash) }

// load decodes the journal and the list of contents on first use. It skips partial lines.
func (u *Journal) load() error {
	if u.loaded || u.dir == "" {
		return nil
	}
	text, err := store.ReadWhole(u.journal(), 1<<30)
	if err != nil {
		return fmt.Errorf("read the record of changes: %w", err)
	}
	for line := range bytes.Lines(text) {
		var record Record
		if json.Unmarshal(line, &record) == nil && record.ID > u.last() {
			u.records = append(u.records, record)
		}
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		if err := store.AppendTo(u.journal(), []byte{'\n'}); err != nil {
			return err
		}
	}
	if err := u.loadImages(); err != nil {
		return err
	}
	u.loaded = true
	return nil
}

// loadImages fills u.images and u.size from the stored files. After a crash, a file can lack a
// record.
func (u *Journal) loadImages() error {
	entries, err := os.ReadDir(filepath.Join(u.dir, "images"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && len(entry.Name()) == 2*sha256.Size {
			u.images[entry.Name()] = &undoImage{size: info.Size()}
			u.size += info.Size()
		}
	}
	for _, record := range u.records {
		if image := u.images[record.Before]; image != nil {
			image.last = record.ID
		}
	}
	return nil
}

// Store stores the content of a file, so that a later record can refer to the content. It does
// nothing if content is nil.
func (u *Journal) Store(content []byte) error {
	if content == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.load(); err != nil {
		return err
	}
	return u.keep(&Record{ID: u.last() + 1, Before: Hash(content)}, content)
}

// Reversal is a call that undoes another call.
type Reversal struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}
