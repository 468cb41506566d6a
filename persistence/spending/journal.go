package spending

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"marvin/persistence/internal/store"
)

// usageJournal holds the usage that is not yet merged into usage.json. It is usually empty. Writers
// take a shared lock, and the process that empties the journal takes an exclusive lock. Readers
// need no lock.
type usageJournal struct {
	home *store.Home
	path string
}

// usagePart is one line of the journal. usage.json lists the IDs of the merged lines.
type usagePart struct {
	ID string `json:"id"`
	Usage
}

type journalContent struct {
	parts []usagePart
	size  int64 // bytes read
	torn  []byte
}

func (l Lifetime) journal() usageJournal {
	return usageJournal{home: l.home, path: l.home.Path("usage.journal")}
}

func (j usageJournal) gate() *flock.Flock {
	return store.NewLock(store.HiddenBeside(j.path, ".lock"))
}

func (j usageJournal) append(delta Usage) (err error) {
	line, err := store.EncodeValue(usagePart{ID: rand.Text(), Usage: delta})
	if err != nil {
		return err
	}
	if err := store.MakeDir(filepath.Dir(j.path)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), store.LockWait)
	defer cancel()
	gate := j.gate()
	if _, err := gate.TryRLockContext(ctx, store.LockRetry); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gate.Close()) }()
	// A full disk or a power cut may have left a partial line, so a line break comes first.
	return store.AppendTo(j.path, append(append([]byte("\n"), line...), '\n'))
}

// read parses the journal. The torn field of the result contains the damaged lines.
func (j usageJournal) read() (journalContent, error) {
	data, err := store.ReadWhole(j.path, store.DocumentLimit)
	content := journalContent{size: int64(len(data))}
	for line := range bytes.Lines(data) {
		var part usagePart
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if json.Unmarshal(line, &part) != nil || part.ID == "" {
			content.torn = append(content.torn, line...)
			continue
		}
		content.parts = append(content.parts, part)
	}
	return content, err
}

// removeMerged removes the merged lines from the journal. The lines stay if another process is
// appending, or has appended since the merge.
func (j usageJournal) removeMerged(merged journalContent) (err error) {
	gate := j.gate()
	alone, err := gate.TryLock()
	if err != nil || !alone {
		return err
	}
	defer func() { err = errors.Join(err, gate.Close()) }()
	info, err := os.Stat(j.path)
	if err != nil || info.Size() != merged.size {
		return err
	}
	var damage error
	// Partial lines come from a power cut or a full disk. No process is still writing them.
	if len(merged.torn) > 0 {
		kept := j.home.FreeName(j.path)
		if err := store.WriteNew(kept, merged.torn, false); err != nil {
			return err
		}
		damage = &store.RenewedError{Path: j.path, Kept: kept, Err: errors.New("some totals were incomplete")}
	}
	return errors.Join(damage, os.Truncate(j.path, 0))
}
