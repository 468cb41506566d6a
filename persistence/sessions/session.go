package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"marvin/persistence/internal/store"
)

// Session is an open conversation on disk. A Session is safe for concurrent use.
type Session struct {
	sessions Store
	path     string
	header   Header

	mu   sync.Mutex
	file *os.File
	lock *flock.Flock
	last int64 // the id of the last entry in the file
	leaf int64 // the end of the current branch
	torn bool  // whether a failed write left a partial line at the end
	info Info
}

// BusyError reports that another process is using the conversation.
type BusyError struct {
	ID  string
	PID int // 0 if it is not known
}

func (e *BusyError) Error() string {
	who := "another Marvin"
	if e.PID > 0 {
		who = fmt.Sprintf("another Marvin (pid %d)", e.PID)
	}
	return fmt.Sprintf("%s is using conversation %s; continue there, or continue a copy with --fork %s", who, e.ID, e.ID)
}

// Open continues a session. It terminates a partial line that a crash left; readers ignore such a
// line. If another process uses the session, the error is a [BusyError].
func (s Store) Open(id string) (*Session, error) { return openSession(s, id, os.O_RDWR|os.O_APPEND) }

// LookAt opens a session for reading only. It takes no lock, so it works even while another process
// uses the session.
func LookAt(s Store, id string) (*Session, error) { return openSession(s, id, os.O_RDONLY) }

func openSession(s Store, id string, mode int) (*Session, error) {
	path, err := s.path(id)
	if err != nil {
		return nil, err
	}
	file, err := store.OpenFile(path, mode, 0)
	if err != nil {
		return nil, fmt.Errorf("open the conversation: %w", err)
	}
	session := &Session{sessions: s, path: path, file: file}
	fail := func(err error) (*Session, error) { return nil, errors.Join(err, session.Close()) }
	if session.header, err = readHeader(file); err != nil {
		return fail(fmt.Errorf("%s: %w", path, err))
	}
	if mode != os.O_RDONLY {
		if err := session.claim(); err != nil {
			return fail(err)
		}
		if !isFileAt(file, path) { // removed in the meantime
			return fail(fmt.Errorf("%w: %q", ErrNoSession, id))
		}
		if err := session.mendEnd(); err != nil {
			return fail(err)
		}
	}
	known, err := s.indexEntry(session.header.ID)
	if err != nil {
		return fail(err)
	}
	if session.info, err = s.info(path, known); err != nil {
		return fail(err)
	}
	last, err := lastEntry(file)
	if err != nil {
		return fail(err)
	}
	session.last, session.leaf = last.ID, last.branchEnd()
	return session, nil
}

// branchEnd returns the id of the last entry on the current branch. The receiver must be the last
// entry of the file.
func (e Entry) branchEnd() int64 {
	if e.Kind == LeafEntry {
		return e.Parent
	}
	return e.ID
}

// claimWait gives a concurrent call of [Store.Busy] enough time to release the lock.
const claimWait = 100 * time.Millisecond

// Busy reports whether a process is using the session with the given id. Busy creates no lock file.
func (s Store) Busy(id string) bool {
	path, err := s.path(id)
	if err != nil {
		return false
	}
	lock := flock.New(store.HiddenBeside(path, ".lock"), flock.SetFlag(os.O_RDONLY|syscall.O_NONBLOCK))
	free, err := lock.TryRLock()
	_ = lock.Close() // nothing was written
	return err == nil && !free
}

// claim locks the conversation for this process. If another process uses it, claim returns a
// [BusyError]. The kernel releases the lock when the process ends.
func (s *Session) claim() error { return s.claimWithin(claimWait) }

// claimWithin locks the conversation for this process. If another process holds the lock for the
// whole waiting time, claimWithin returns a [BusyError].
func (s *Session) claimWithin(wait time.Duration) error {
	path := store.HiddenBeside(s.path, ".lock")
	s.lock = store.NewLock(path)
	locked, err := store.LockWithin(s.lock, wait)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("lock %s: %w", path, err)
	}
	if !locked {
		busy := &BusyError{ID: s.header.ID}
		if text, err := store.ReadWhole(path, 64); err == nil {
			_, _ = fmt.Sscan(string(text), &busy.PID) // 0 if the file contains no number
		}
		s.lock = nil
		return busy
	}
	if err := os.WriteFile(path, fmt.Appendln(nil, os.Getpid()), 0o600); err != nil {
		lock := s.lock
		s.lock = nil
		return errors.Join(err, lock.Close()) // otherwise the session would stay locked until this process ends
	}
	return nil
}

// mendEnd adds a line break if the file ends with a partial line.
func (s *Session) mendEnd() error {
	info, err := s.file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := s.file.ReadAt(last, info.Size()-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		_, err = s.file.Write([]byte{'\n'})
	}
	return err
}

// Header returns the first line of the session.
func (s *Session) Header() Header { return s.header }

// Leaf returns the id of the last entry on the current branch, or 0 in an empty session. The next
// entry will follow this entry.
func (s *Session) Leaf() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leaf
}

// LastIDs returns the ids of the last entry on the current branch and of the last entry in the
// file. Entries are numbered in the order in which they are written.
func (s *Session) LastIDs() (leaf, last int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leaf, s.last
}

// Info returns the current description of the session.
func (s *Session) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

// Close unlocks the session and updates the index.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	var err error
	if s.lock != nil && s.info.ID != "" {
		err = s.noteIndex()
	}
	err = errors.Join(err, s.file.Close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	s.file = nil
	return err
}

// Sync forces all appended entries to the disk, so that they survive a power cut. [Session.Append]
// can run at the same time.
func (s *Session) Sync() error {
	s.mu.Lock()
	file := s.file
	s.mu.Unlock()
	if file == nil || s.sessions.passing {
		return nil
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("keep the conversation: %w", err)
	}
	return nil
}

// AddToIndex adds the session to the index, so that other processes find the session.
func (s *Session) AddToIndex() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	return s.noteIndex()
}

func (s *Session) noteIndex() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.info.Size = info.Size()
	if s.sessions.passing {
		return nil // sessions from [Store.Answers] are not in the index
	}
	return s.sessions.addToIndex(s.info)
}

func readHeader(file io.ReaderAt) (Header, error) {
	var header Header
	start := make([]byte, 8<<10)
	n, err := file.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return header, err
	}
	line, _, whole := bytes.Cut(start[:n], []byte("\n"))
	if !whole || json.Unmarshal(line, &header) != nil || header.Format == 0 || !store.SingleElement(header.ID) {
		return header, ErrDamagedSession
	}
	if header.Format > 1 {
		return header, fmt.Errorf("%w of this version (it has format %d); update Marvin", ErrDamagedSession, header.Format)
	}
	return header, nil
}
