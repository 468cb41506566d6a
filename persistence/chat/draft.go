package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/gofrs/flock"

	"marvin/persistence/internal/store"
)

// Unsent holds the unsent text of a window.
type Unsent struct {
	Input string   `json:"input"`
	Queue []string `json:"queue,omitempty"` // prompts that wait for the running turn
}

// Draft is the file with the unsent text of one window: draft.json, draft.1.json and so on. The
// file is locked while the window is open. An unlocked file is from an earlier window.
type Draft struct {
	path string // "" if the text cannot be stored
	lock *flock.Flock
}

// draftWindows is the maximum number of windows per profile that have a draft. The unsent text of
// further windows is not stored.
const draftWindows = 32

// maxDraft is the size limit of a draft in bytes, enough for typed text and a few long pastes.
const maxDraft = 16 << 20

// OpenDraft opens the first draft that no other window uses and returns its content. If the file is
// damaged, OpenDraft renames it and returns an error. The draft is usable despite any error.
func OpenDraft(p store.Profile) (*Draft, Unsent, error) {
	if p.Dir == "" {
		return &Draft{}, Unsent{}, nil
	}
	if err := store.MakeDir(p.Dir); err != nil {
		return &Draft{}, Unsent{}, fmt.Errorf("store the unsent text: %w", err)
	}
	for window := range draftWindows {
		name := "draft.json"
		if window > 0 {
			name = fmt.Sprintf("draft.%d.json", window)
		}
		path, err := store.Resolve(p.Path(name))
		if err != nil {
			return &Draft{}, Unsent{}, err
		}
		lock := store.NewLock(store.HiddenBeside(path, ".lock"))
		locked, err := lock.TryLock()
		if err != nil {
			return &Draft{}, Unsent{}, fmt.Errorf("store the unsent text: %w", err)
		}
		if !locked {
			continue
		}
		draft := &Draft{path: path, lock: lock}
		unsent, err := draft.read(p.Home)
		return draft, unsent, err
	}
	return &Draft{}, Unsent{}, nil
}

func (d *Draft) read(home *store.Home) (Unsent, error) {
	data, err := store.ReadWhole(d.path, maxDraft)
	if err != nil {
		return Unsent{}, fmt.Errorf("read the unsent text: %w", err)
	}
	if len(data) == 0 {
		return Unsent{}, nil
	}
	var unsent Unsent
	if err := json.Unmarshal(data, &unsent); err != nil {
		kept := home.FreeName(d.path)
		if moved := os.Rename(d.path, kept); moved != nil {
			return Unsent{}, &store.DamagedError{Path: d.path, Err: errors.Join(err, moved)}
		}
		return Unsent{}, &store.RenewedError{Path: d.path, Kept: kept, Err: err}
	}
	return unsent, nil
}

// Save writes the draft file, or removes it if there is no unsent text. Save does not sync, because
// it runs often while the user types. So the draft survives a crash of Marvin, but not a crash of
// the machine.
func (d *Draft) Save(unsent Unsent) error {
	if d.path == "" {
		return nil
	}
	if unsent.Input == "" && len(unsent.Queue) == 0 {
		return store.RemoveIfThere(d.path)
	}
	data, err := json.Marshal(unsent)
	if err != nil {
		return err
	}
	if len(data) > maxDraft {
		return fmt.Errorf("the unsent text is longer than %d MB, so it was not stored", maxDraft>>20)
	}
	return store.Replace(d.path, data, store.Fleeting)
}

// Close unlocks the draft for other windows and leaves the file unchanged.
func (d *Draft) Close() error {
	if d.lock == nil {
		return nil
	}
	return d.lock.Close()
}
