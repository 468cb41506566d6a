package persistence

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"marvin/persistence/internal/store"
)

// MaxLog is the size, in bytes, at which marvin.log is renamed to marvin.log.1.
const MaxLog = 2 << 20

// Log is Marvin's log of its own problems: marvin.log in the directory Home.Logs, and the older
// marvin.log.1. The first write creates the file. A Log is safe for concurrent use, even by several
// processes.
type Log struct {
	home *Home
	mu   sync.Mutex
}

// NewLog returns the log in h. It does not touch the disk.
func NewLog(h *Home) *Log { return &Log{home: h} }

// Path returns the path of the log. Without a home directory, Path returns "".
func (l *Log) Path() string { return l.home.LogPath("marvin.log") }

// Write appends p, which must consist of whole lines. If p is longer than a quarter of [MaxLog],
// Write drops the end of p.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	path := l.Path()
	if path == "" {
		return 0, ErrNoHome
	}
	if err := store.MakeDir(filepath.Dir(path)); err != nil {
		return 0, err
	}
	l.rotate(path)
	if len(p) > MaxLog/4 {
		p = append(p[:MaxLog/4:MaxLog/4], '\n')
	}
	return len(p), store.AppendTo(path, p)
}

// logPatience is the maximum time that Write waits while another process rotates the log. Without
// this wait, processes on a busy machine appended 130 lines to the full log during one rotation.
const logPatience = time.Second

// rotate renames the log if it is full.
func (l *Log) rotate(path string) {
	full := func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > MaxLog
	}
	if !full() {
		return
	}
	unlock, err := l.home.Lock(path, logPatience)
	if err != nil {
		return // another process is rotating the log
	}
	if full() {
		_ = os.Rename(path, path+".1") // if the rename fails, the next Write tries again
	}
	_ = unlock()
}

// Tail returns the last whole lines of the log, at most the given number of bytes.
func (l *Log) Tail(limit int64) ([]byte, error) {
	path := l.Path()
	if path == "" {
		return nil, ErrNoHome
	}
	older, err := store.ReadWhole(path+".1", 2*MaxLog)
	newer, failed := store.ReadWhole(path, 2*MaxLog)
	text := append(older, newer...)
	if int64(len(text)) > limit {
		text = text[int64(len(text))-limit:]
		for i, c := range text {
			if c == '\n' {
				text = text[i+1:]
				break
			}
		}
	}
	return text, errors.Join(err, failed)
}
