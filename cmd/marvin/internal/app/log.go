package app

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence"
	"marvin/tools"
)

// newLog returns the log for all packages, and a function that flushes the log. The log costs
// nothing until the first line is written. It contains no API keys or tokens.
func newLog(world cli.World, home *persistence.Home) (*slog.Logger, func()) {
	if home.State == "" {
		return slog.New(slog.DiscardHandler), func() {}
	}
	secrets := sync.OnceValue(func() tools.Secrets { return tools.SecretsOf(world.Environ, world.Home) })
	queue := &queued{to: withoutKeys{persistence.NewLog(home), secrets}}
	return slog.New(slog.NewJSONHandler(queue, nil)), queue.close
}

// queued is a writer that does not wait for the disk, because actors must not block. While 1,000
// entries are waiting, it drops new entries.
type queued struct {
	to io.Writer

	mu      sync.Mutex
	entries chan []byte // nil before the first Write and after close
	written chan struct{}
}

func (q *queued) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.entries == nil {
		entries, written := make(chan []byte, 1000), make(chan struct{})
		q.entries, q.written = entries, written
		go func() {
			defer close(written)
			for entry := range entries {
				_, _ = q.to.Write(entry) // an error while writing the log cannot be reported anywhere
			}
		}()
	}
	select {
	case q.entries <- bytes.Clone(p):
	default:
	}
	return len(p), nil
}

// close gives the queued entries at most one second to be written.
func (q *queued) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.entries == nil {
		return
	}
	close(q.entries)
	q.entries = nil
	select {
	case <-q.written:
	case <-time.After(time.Second):
	}
}

type withoutKeys struct {
	to      io.Writer
	secrets func() tools.Secrets
}

func (w withoutKeys) Write(p []byte) (int, error) {
	if _, err := w.to.Write([]byte(w.secrets().Hide(string(p)))); err != nil {
		return 0, err
	}
	return len(p), nil
}
