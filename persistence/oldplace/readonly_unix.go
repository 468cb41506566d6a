//go:build unix

package oldplace

import (
	"errors"
	"syscall"
)

// readOnly reports errors of read-only directories, which need no message.
func readOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EXDEV)
}
