package artifacts

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"marvin/persistence/internal/store"
	"marvin/persistence/undolog"
)

// Writer stores the output of a running command as an artifact. Write never fails, because an error
// would stop the command; Close returns write errors. A Writer is safe for concurrent use.
type Writer struct {
	artifacts *Store

	mu    sync.Mutex
	about Artifact
	file  *os.File
	index *os.File // see openIndex
	full  bool
	open  bool // whether the last line is incomplete
	err   error
}

// Begin starts a new artifact and sets its number and time.
func (a *Store) Begin(about Artifact) (*Writer, error) {
	if a == nil {
		return nil, store.ErrNoHome
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load()
	if a.closed {
		return nil, errors.New("the output was not stored, because the conversation has ended")
	}
	if err := a.settle(); err != nil {
		return nil, fmt.Errorf("store the output: %w", err)
	}
	a.makeRoom()
	about.Number, about.At = a.next, a.home.Now()
	file, err := os.OpenFile(a.path(about), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store the output: %w", err)
	}
	index, err := a.openIndex(about)
	if err != nil {
		return nil, fmt.Errorf("store the output: %w", errors.Join(err, file.Close(), os.Remove(file.Name())))
	}
	a.next++
	return &Writer{artifacts: a, about: about, file: file, index: index}, nil
}

// openIndex opens the index and checks that the record can be encoded. It takes 0.2 ms, but the
// model does not wait, because the command is still running.
func (a *Store) openIndex(about Artifact) (*os.File, error) {
	if _, err := store.EncodeValue(about); err != nil {
		return nil, err
	}
	return store.OpenToAppend(filepath.Join(a.dir, "index.jsonl"))
}

func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.about.Total += int64(len(p))
	kept := p
	if room := MaxSize - w.about.Size; int64(len(kept)) > room {
		kept = kept[:room]
		if end := bytes.LastIndexByte(kept, '\n'); end >= 0 && w.about.Media == "" {
			kept = kept[:end+1] // a reader would take a partial line for a complete one
		}
	}
	if w.full || w.err != nil {
		return len(p), nil
	}
	w.full = len(kept) < len(p)
	n, err := w.file.Write(kept)
	w.err = err
	w.about.Size += int64(n)
	if w.about.Media == "" {
		w.about.Lines += int64(bytes.Count(kept[:n], []byte{'\n'}))
		w.open = n > 0 && kept[n-1] != '\n' || n == 0 && w.open
	}
	return len(p), nil
}

// Close completes the artifact and returns it. If a write failed, the part that was written is
// kept. An empty artifact is removed.
func (w *Writer) Close() (_ Artifact, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() { err = errors.Join(err, w.index.Close()) }()
	err = errors.Join(w.err, w.file.Close())
	if w.about.Size == 0 {
		return Artifact{}, errors.Join(err, os.Remove(w.file.Name()))
	}
	if w.open {
		w.about.Lines++
	}
	return w.about, errors.Join(err, w.artifacts.note(w.about, w.index))
}

// CloseAs completes a non-text artifact and sets its media type. If an identical artifact already
// exists, CloseAs returns the existing artifact and stores nothing.
func (w *Writer) CloseAs(media string) (_ Artifact, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() { err = errors.Join(err, w.index.Close()) }()
	path, about, all := w.file.Name(), w.about, w.artifacts
	if err := errors.Join(w.err, w.file.Close()); err != nil || about.Size == 0 {
		return Artifact{}, errors.Join(err, os.Remove(path))
	}
	content, err := store.ReadWhole(path, MaxSize)
	if err != nil {
		return Artifact{}, errors.Join(fmt.Errorf("store the output: %w", err), os.Remove(path))
	}
	about.Hash, about.Media, about.Lines = undolog.Hash(content), media, 0
	if one, ok := all.find(about); ok {
		return one, os.Remove(path)
	}
	if err := os.Rename(path, all.path(about)); err != nil {
		return Artifact{}, errors.Join(fmt.Errorf("store the output: %w", err), os.Remove(path))
	}
	return about, all.note(about, w.index)
}
