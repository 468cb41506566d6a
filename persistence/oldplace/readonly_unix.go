//go:build unix

package oldplace

import (
	"errors"
	"syscall"
)

// readOnly reports whether a rename failed because the file system is read-only or the two names
// are on different file systems. Such an error needs no message.
func readOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EXDEV)
}
