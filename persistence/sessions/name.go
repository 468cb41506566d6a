package sessions

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"marvin/persistence/internal/store"
)

// Reservation keeps a name for one conversation until [Reservation.Release] or the end of the
// process.
type Reservation struct{ lock *flock.Flock }

// Reserve reserves a name for a new conversation. After this call, the caller must check that no
// session has the name. If the name is already reserved, the error is a [NameBusyError].
func (s Store) Reserve(name string) (*Reservation, error) {
	if s.dir == "" {
		return nil, store.ErrNoHome
	}
	if err := store.MakeDir(s.dir); err != nil {
		return nil, fmt.Errorf("keep the conversation: %w", err)
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name)) // it never fails
	path := filepath.Join(s.dir, fmt.Sprintf(".name-%016x.lock", hash.Sum64()))
	for {
		lock := store.NewLock(path)
		locked, err := store.LockWithin(lock, claimWait)
		switch {
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			return nil, fmt.Errorf("lock %s: %w", path, err)
		case !locked:
			return nil, errors.Join(&NameBusyError{Name: name}, lock.Close())
		}
		if isFileAt(lock, path) {
			return &Reservation{lock}, nil
		}
		if err := lock.Close(); err != nil { // the previous owner of the lock removed the file
			return nil, err
		}
	}
}

func isFileAt(open interface{ Stat() (fs.FileInfo, error) }, path string) bool {
	mine, err := open.Stat()
	there, gone := os.Stat(path)
	return err == nil && gone == nil && os.SameFile(mine, there)
}

// Release frees the name. It does nothing if the reservation is nil.
func (n *Reservation) Release() error {
	if n == nil {
		return nil
	}
	return errors.Join(store.RemoveIfThere(n.lock.Path()), n.lock.Close())
}

// NameBusyError reports that another process has reserved Name for a new conversation.
type NameBusyError struct{ Name string }

func (e *NameBusyError) Error() string {
	return fmt.Sprintf("another Marvin process is starting the conversation %q right now; continue there, try again when that process has ended, or choose another name here", e.Name)
}
