package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/gofrs/flock"

	"marvin/persistence/internal/store"
)

// Unsent is what a person typed and did not send.
type Unsent struct {
	Input string   `json:"input"`
	Queue []string `json:"queue,omitempty"` // waits for the running turn to end
}

// Draft is the file that holds what one window has not sent. Each window has its own:
// draft.json, draft.1.json and so on. As long as a window lives the file is locked by
// it, so what is found in one that can be locked was left by a crash.
type Draft struct {
	path string // "" if there is no home
	lock *flock.Flock
}

// draftWindows is how many windows of one profile have a draft; the others have none.
const draftWindows = 32

// maxDraft is the size of a draft, in bytes: a person's words and a few long pastes.
const maxDraft = 16 << 20

// OpenDraft takes the first draft that no other window has, and returns what is in it.
// A draft that cannot be read is set aside. The draft can be used after an error too.
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

// Save replaces what is kept; with nothing unsent the file goes away. It is written
// again within a second of typing, so it is not synced: it outlives a crash of Marvin,
// not one of the machine.
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

// Close lets another window have the draft. What is in it stays.
func (d *Draft) Close() error {
	if d.lock == nil {
		return nil
	}
	return d.lock.Close()
}
