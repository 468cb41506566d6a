//go:build unix

package oldplace

import (
	"errors"
	"syscall"
)

// readOnly says that nothing can be written or moved there, which needs no words.
func readOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EXDEV)
}
