package live

import (
	"errors"
	"fmt"
)

// ErrNone reports that no conversation is running.
var ErrNone = errors.New("no conversation is running; to begin one without a window, run marvin start \"PROMPT\"; to continue the last one, run marvin -c")

// NotLive reports that a conversation is not running.
type NotLive string

// Error implements the error interface.
func (n NotLive) Error() string {
	return fmt.Sprintf("no conversation %q is running; to list the running ones, run marvin live; to continue one that has ended, run marvin -r %s", string(n), string(n))
}
