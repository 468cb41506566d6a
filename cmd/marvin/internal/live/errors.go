package live

import (
	"errors"
	"fmt"
)

// ErrNone reports that no conversation is running.
var ErrNone = errors.New("no conversation is running; begin one without a window with marvin start \"PROMPT\", or continue the last one with marvin -c")

// NotLive reports that a conversation is not running.
type NotLive string

// Error returns a message that names the alternatives.
func (n NotLive) Error() string {
	return fmt.Sprintf("no conversation %q is running; list the running ones with marvin live, or continue one that has ended with marvin -r %s", string(n), string(n))
}
