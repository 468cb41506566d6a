//go:build unix

package oldplace

import (
	"errors"
	"syscall"
)

// readOnly returns true for an error of a rename in a read-only file system or between file
// systems. Such an error needs no message.
func readOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EXDEV)
}
