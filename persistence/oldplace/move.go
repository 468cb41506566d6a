// Package oldplace moves directories of older versions of Marvin to the places that the current
// version uses. It leaves a link under the old name for programs that know only that name.
//
// If the new place does not exist, a directory is moved with one rename. Before the move, the link
// is created under a temporary name beside the old directory. If Marvin is killed after the move,
// the next Marvin process renames the link to the old name. During a move, the process locks the
// old directory itself, so no lock file remains. Another process that starts at the same time waits
// for the lock.
package oldplace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockWait  = 5 * time.Second // a move takes a few milliseconds
	lockRetry = time.Millisecond
	compared  = 1 << 20 // in bytes; larger files are not compared
)

// Moved describes what happened to one old directory.
type Moved struct {
	From, To string
	Done     bool     // whether this call completed a move
	Left     []string // entries of From that conflict with To, as paths relative to LeftIn
	LeftIn   string
}

// move relocates an old directory to its new place and creates a link from the old path to the new
// place. If the old path does not exist, only an earlier move that a crash interrupted is
// completed. If the link already exists, nothing is changed. After an error, the old directory is
// as usable as before.
func move(from, to string) (moved Moved, err error) {
	moved = Moved{From: from, To: to}
	info, err := os.Lstat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return moved, moved.resume()
	case err != nil:
		return moved, err
	case !info.IsDir() || sameDirectory(from, to):
		return moved, nil // already a link, made by Marvin or by the user
	}
	unlock, err := lock(from)
	if err != nil {
		return moved, err
	}
	defer unlock()
	if info, err := os.Lstat(from); err != nil || !info.IsDir() {
		return moved, nil // another process has moved the directory
	}
	if err := makePendingLink(from, to); err != nil {
		return moved, err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return moved, errors.Join(err, os.Remove(pending(from)))
	}
	if err := moved.carry(); err != nil {
		return moved, errors.Join(err, os.Remove(pending(from)))
	}
	moved.Done = true
	return moved, finish(from, to)
}

// resume completes a move that a crash interrupted before the link was renamed.
func (m *Moved) resume() error {
	if _, err := os.Lstat(pending(m.From)); err != nil {
		return nil
	}
	if _, err := os.Stat(m.To); err != nil {
		return os.Remove(pending(m.From))
	}
	m.Done = true
	return finish(m.From, m.To)
}

// carry renames the old directory to the new path. If the new path exists, carry moves each entry
// separately.
func (m *Moved) carry() error {
	_, err := os.Lstat(m.To)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.Rename(m.From, m.To); err == nil {
			return nil
		}
		if _, there := os.Lstat(m.To); there != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	if err := m.merge(""); err != nil {
		return err
	}
	if len(m.Left) == 0 {
		return os.Remove(m.From) // this fails if another program has written into the directory
	}
	for n := 1; ; n++ {
		m.LeftIn = filepath.Join(m.To, filepath.Base(m.From)+"-left")
		if n > 1 {
			m.LeftIn += fmt.Sprint("-", n)
		}
		if _, err := os.Lstat(m.LeftIn); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(m.From, m.LeftIn)
		}
	}
}

// merge relocates the entries of the old directory to the new directory. If an entry exists in both
// directories, merge leaves the old entry in place and records its name in m.Left. There are two
// exceptions: if both entries are directories, their entries are moved one by one, and an old entry
// that is disposable or has the same content as the new entry is deleted.
func (m *Moved) merge(below string) error {
	entries, err := os.ReadDir(filepath.Join(m.From, below))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := filepath.Join(below, entry.Name())
		from, to := filepath.Join(m.From, name), filepath.Join(m.To, name)
		other, err := os.Lstat(to)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = moveOne(from, to, entry)
		case err == nil && entry.IsDir() && other.IsDir():
			err = m.merge(name)
		case err == nil && (sameContent(from, to) || disposable(entry.Name())):
			err = os.Remove(from)
		case err == nil:
			m.Left = append(m.Left, name)
		}
		if errors.Is(err, fs.ErrExist) { // another Marvin process has made the link
			m.Left, err = append(m.Left, name), nil
		}
		if err != nil {
			return err
		}
	}
	if below != "" {
		_ = os.Remove(filepath.Join(m.From, below)) // this fails if the directory still has an entry
	}
	return nil
}

// moveOne never replaces an entry of the new directory.
func moveOne(from, to string, entry fs.DirEntry) error {
	if entry.Type().IsRegular() {
		if err := os.Link(from, to); err == nil {
			return os.Remove(from)
		} else if errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return os.Rename(from, to)
}

// disposable is true if a file is a cache, a lock or a temporary file. Marvin creates such files
// again when needed.
func disposable(name string) bool {
	return name == ".known" || strings.HasSuffix(name, ".read") || strings.HasPrefix(name, ".") && (strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".tmp"))
}

func sameContent(one, other string) bool {
	for _, path := range []string{one, other} {
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > compared {
			return false
		}
	}
	first, err := os.ReadFile(one)
	second, failed := os.ReadFile(other)
	return err == nil && failed == nil && bytes.Equal(first, second)
}

// pending returns the temporary path of the link.
func pending(from string) string {
	return filepath.Join(filepath.Dir(from), "."+filepath.Base(from)+".moving")
}

// makePendingLink creates a link to the new directory. The link's temporary path is pending(from).
func makePendingLink(from, to string) error {
	if err := os.Remove(pending(from)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	target := to
	if filepath.Dir(from) == filepath.Dir(to) {
		target = filepath.Base(to) // a relative target stays valid if the home directory is mounted elsewhere
	}
	return os.Symlink(target, pending(from))
}

// finish renames the pending link to the old name.
func finish(from, to string) error {
	err := os.Rename(pending(from), from)
	if err != nil && !sameDirectory(from, to) { // another process may have been faster
		return fmt.Errorf("link %s to %s: %w", from, to, err)
	}
	if dir, err := os.Open(filepath.Dir(from)); err == nil {
		_ = dir.Sync() // so that the link survives a power cut
		_ = dir.Close()
	}
	return nil
}

// linkOldName makes the old path a link to the new directory. It does nothing if the new directory
// is missing or the old path exists.
func linkOldName(from, to string) {
	if info, err := os.Stat(to); err != nil || !info.IsDir() {
		return
	}
	if _, err := os.Lstat(from); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if makePendingLink(from, to) == nil && finish(from, to) != nil {
		_ = os.Remove(pending(from))
	}
}

func sameDirectory(one, other string) bool {
	first, err := os.Stat(one)
	second, failed := os.Stat(other)
	return err == nil && failed == nil && os.SameFile(first, second)
}

func lock(dir string) (unlock func(), err error) {
	held := flock.New(dir, flock.SetFlag(os.O_RDONLY))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	_, err = held.TryLockContext(ctx, lockRetry)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return func() {}, nil // another process has moved the directory; the caller checks again
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("another process has been moving %s for %s", dir, lockWait)
	case err != nil:
		return nil, err
	}
	return func() { _ = held.Close() }, nil
}
