package main

import (
	"cmp"
	"io"
	"sync"
)

// noticing is a file or a pipe that remembers write errors: an incomplete list on a full disk is
// not a success.
type noticing struct {
	to     io.Writer
	mu     sync.Mutex
	failed error
}

func (n *noticing) Write(text []byte) (int, error) {
	written, err := n.to.Write(text)
	if err != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.failed = cmp.Or(n.failed, err)
	}
	return written, err
}

func (n *noticing) problem() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.failed == nil {
		return nil
	}
	return unwritten(n.failed)
}
