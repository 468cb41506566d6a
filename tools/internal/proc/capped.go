package proc

import (
	"errors"
	"strings"
)

// Capped is a writer for [Command.Stdout] that keeps a limited number of bytes. If the output is
// longer, Write fails, and the command's pipe is closed.
type Capped struct {
	Most int             // bytes
	kept strings.Builder // not embedded, because Builder.WriteString would bypass the limit
	full bool
}

// Exceeded reports whether the output was longer than the limit.
func (c *Capped) Exceeded() bool { return c.full }

// String returns the kept bytes.
func (c *Capped) String() string { return c.kept.String() }

func (c *Capped) Write(p []byte) (int, error) {
	n, _ := c.kept.Write(p[:min(len(p), c.Most-c.kept.Len())]) // this never fails
	if n < len(p) {
		c.full = true
		return n, errors.New("enough")
	}
	return n, nil
}
