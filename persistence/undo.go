package persistence

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
)

// What is kept of a conversation for taking it back.
const (
	MaxUndoFile  = 8 << 20  // bytes of a file; what is larger is not kept
	MaxUndoTotal = 64 << 20 // bytes of a conversation; the oldest contents go first
)

// The kinds of an [UndoRecord].
const (
	UndoWrite   = "write" // a tool wrote, made or deleted the file
	UndoTaken   = "undo"  // the person took records back
	UndoAgain   = "redo"  // and took that back
	UndoVoid    = "void"  // the writes that it names did not happen
	UndoOutside = "other" // a call that cannot be taken back
	UndoCall    = "call"  // a call that another call takes back
)

// UndoRecord is one change of one file, written down before it is made by a tool, and
// after it is made by the person.
type UndoRecord struct {
	ID         int64       `json:"id"` // counts from 1 within the conversation
	Kind       string      `json:"kind"`
	Of         []int64     `json:"of,omitempty"` // what it takes back
	At         time.Time   `json:"at"`
	Turn       string      `json:"turn,omitempty"`
	Call       string      `json:"call,omitempty"`
	Tool       string      `json:"tool,omitempty"`
	Title      string      `json:"title,omitempty"` // of what cannot be taken back
	Dir        string      `json:"dir,omitempty"`   // absolute, free of links
	Name       string      `json:"name,omitempty"`  // in it, free of links
	Path       string      `json:"path,omitempty"`  // as tools call it, absolute
	Before     string      `json:"before,omitempty"`
	BeforeMode fs.FileMode `json:"before_mode,omitempty"`
	After      string      `json:"after,omitempty"` // "" if there is no file
	AfterMode  fs.FileMode `json:"after_mode,omitempty"`
	Made       []string    `json:"made,omitempty"` // directories that the write makes, in Dir
	Lost       string      `json:"lost,omitempty"` // why the content before is not kept, or the call not taken back
	Back       *UndoBack   `json:"back,omitempty"` // the call that takes this one back
}

// ErrUndoGone means that a content is no longer kept, or damaged.
var ErrUndoGone = errors.New("what it held before is not kept any more")

// Undo keeps what files held before tools changed them, by the hash of the content, and
// the journal of the changes: DIR/journal.jsonl and DIR/images/HASH. Nothing of it waits for
// the disk: a power cut may take the last changes from the journal, never from the files.
// It is safe for concurrent use.
type Undo struct {
	dir string // "" keeps all in memory
	now func() time.Time

	mu      sync.Mutex
	loaded  bool
	records []UndoRecord
	images  map[string]*undoImage
	size    int64
}

type undoImage struct {
	size    int64
	last    int64  // the newest record that needs it
	content []byte // where there is no directory
}

// Undo gives what is kept of the conversation with an ID. Without one, or a home, it is
// kept as long as the value lives. It touches nothing on disk.
func (h *Home) Undo(id string) *Undo {
	u := &Undo{now: h.Now, images: map[string]*undoImage{}}
	if h.Data != "" && singleElement(id) {
		u.dir = filepath.Join(h.Data, "undo", id)
	}
	return u
}

// forgetUndo removes what is kept of the conversation with an ID.
func (h *Home) forgetUndo(id string) error {
	if h.Data == "" || !singleElement(id) {
		return nil
	}
	return os.RemoveAll(filepath.Join(h.Data, "undo", id))
}

// UndoHash names a content.
func UndoHash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Records are all changes in their order.
func (u *Undo) Records() ([]UndoRecord, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	err := u.load()
	return slices.Clone(u.records), err
}

// Content is what a hash stands for, or [ErrUndoGone].
func (u *Undo) Content(hash string) ([]byte, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.load(); err != nil {
		return nil, err
	}
	image := u.images[hash]
	switch {
	case image == nil:
		return nil, ErrUndoGone
	case u.dir == "":
		return image.content, nil
	}
	content, err := readWhole(u.image(hash), MaxUndoFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUndoGone, err)
	}
	if UndoHash(content) != hash {
		return nil, ErrUndoGone
	}
	return content, nil
}

// Add writes records down and keeps the contents that go with them, nil for none. IDs,
// times and the hashes before are filled in. With an error the records that are not on the
// disk are known to this process, and say that their content is lost.
func (u *Undo) Add(records []UndoRecord, before [][]byte) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	err := u.load()
	var lines bytes.Buffer
	for i := range records {
		one := &records[i]
		one.ID, one.At = u.last()+1, u.now()
		if before[i] != nil {
			one.Before = UndoHash(before[i])
			if keepErr := u.keep(one, before[i]); keepErr != nil {
				one.Lost, err = "it could not be kept: "+keepErr.Error(), errors.Join(err, keepErr)
			}
		}
		u.records = append(u.records, *one)
		line, encodeErr := encodeValue(one)
		err = errors.Join(err, encodeErr)
		lines.Write(append(line, '\n'))
	}
	if u.dir != "" {
		err = errors.Join(err, u.append(lines.Bytes()))
	}
	if err != nil {
		return fmt.Errorf("keep what files held: %w", err)
	}
	return nil
}

func (u *Undo) last() int64 {
	if len(u.records) == 0 {
		return 0
	}
	return u.records[len(u.records)-1].ID
}

// append adds to the journal. A line that was cut off before is ended first.
func (u *Undo) append(lines []byte) error {
	if err := makeDir(u.dir); err != nil {
		return err
	}
	if err := appendTo(u.journal(), lines); err != nil {
		_ = appendTo(u.journal(), []byte{'\n'}) // so that the next line is whole again
		return err
	}
	return nil
}

// keep makes room for a content and stores it, once.
func (u *Undo) keep(record *UndoRecord, content []byte) error {
	if len(content) > MaxUndoFile {
		record.Lost = fmt.Sprintf("it was larger than %d MiB, which is the most that is kept of a file", MaxUndoFile>>20)
		return nil
	}
	if image := u.images[record.Before]; image != nil {
		image.last = record.ID
		return nil
	}
	for size := int64(len(content)); u.size+size > MaxUndoTotal; {
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

func (u *Undo) store(hash string, content []byte) error {
	if err := makeDir(filepath.Dir(u.image(hash))); err != nil {
		return err
	}
	return replace(u.image(hash), content, fleeting)
}

func (u *Undo) forgetOldest() error {
	oldest := ""
	for hash, image := range u.images {
		if oldest == "" || image.last < u.images[oldest].last {
			oldest = hash
		}
	}
	if u.dir != "" {
		if err := removeIfThere(u.image(oldest)); err != nil {
			return err
		}
	}
	u.size -= u.images[oldest].size
	delete(u.images, oldest)
	return nil
}

func (u *Undo) journal() string          { return filepath.Join(u.dir, "journal.jsonl") }
func (u *Undo) image(hash string) string { return filepath.Join(u.dir, "images", hash) }

// load reads the journal, and which contents there are, on first use. Lines that a crash
// cut off are left out.
func (u *Undo) load() error {
	if u.loaded || u.dir == "" {
		return nil
	}
	text, err := readWhole(u.journal(), 1<<30)
	if err != nil {
		return fmt.Errorf("read what was changed: %w", err)
	}
	for line := range bytes.Lines(text) {
		var record UndoRecord
		if json.Unmarshal(line, &record) == nil && record.ID > u.last() {
			u.records = append(u.records, record)
		}
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		if err := appendTo(u.journal(), []byte{'\n'}); err != nil {
			return err
		}
	}
	if err := u.loadImages(); err != nil {
		return err
	}
	u.loaded = true
	return nil
}

// loadImages finds the contents, also those that no record names, as a crash came before it.
func (u *Undo) loadImages() error {
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

// Store keeps a content before anything says so, nil for none.
func (u *Undo) Store(content []byte) error {
	if content == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.load(); err != nil {
		return err
	}
	return u.keep(&UndoRecord{ID: u.last() + 1, Before: UndoHash(content)}, content)
}

// UndoBack is a call that takes another one back.
type UndoBack struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}
