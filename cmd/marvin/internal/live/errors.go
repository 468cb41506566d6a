package live

import (
	"errors"
	"fmt"
)

// ErrNone reports that no conversation is running.
var ErrNone = errors.New("no conversation runs; marvin start \"PROMPT\" begins one without a window, marvin -c continues the last one")

// NotLive reports that a conversation is not running.
type NotLive string

// Error names the alternatives.
func (n NotLive) Error() string {
	return fmt.Sprintf("no conversation %q runs; marvin live lists those that do, and marvin -r %s continues one that ended", string(n), string(n))
}
