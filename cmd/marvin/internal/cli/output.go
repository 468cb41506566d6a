package cli

import (
	"cmp"
	"io"
	"sync"
)

// ErrorWriter remembers the first write error. A command must not succeed if its output is
// incomplete, for example because the disk is full.
type ErrorWriter struct {
	To     io.Writer
	mu     sync.Mutex
	failed error
}

func (n *ErrorWriter) Write(text []byte) (int, error) {
	written, err := n.To.Write(text)
	if err != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.failed = cmp.Or(n.failed, err)
	}
	return written, err
}

func (n *ErrorWriter) Problem() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.failed == nil {
		return nil
	}
	return OutputError(n.failed)
}
