package proc

import (
	"errors"
	"strings"
)

// Capped is a writer for [Command.Stdout] that keeps the first bytes of an output. A write that
// exceeds the limit fails, which ends the command.
type Capped struct {
	strings.Builder
	Most int // bytes
	full bool
}

// Full reports whether the output was longer than the limit.
func (c *Capped) Full() bool { return c.full }

func (c *Capped) Write(p []byte) (int, error) {
	n, _ := c.Builder.Write(p[:min(len(p), c.Most-c.Len())]) // this never fails
	if n < len(p) {
		c.full = true
		return n, errors.New("enough")
	}
	return n, nil
}
