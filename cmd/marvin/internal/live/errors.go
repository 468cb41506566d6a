package live

import (
	"errors"
	"fmt"
)

// ErrNone means that no conversation runs.
var ErrNone = errors.New("no conversation runs; marvin start \"PROMPT\" begins one without a window, marvin -c continues the last one")

// NotLive names a conversation that does not run.
type NotLive string

// Error says what to do instead.
func (n NotLive) Error() string {
	return fmt.Sprintf("no conversation %q runs; marvin live lists those that do, and marvin -r %s continues one that ended", string(n), string(n))
}
