package typeahead

import "golang.org/x/sys/unix"

// waiting returns the number of bytes that can be read from fd without blocking.
func waiting(fd int) int {
	count, err := unix.IoctlGetInt(fd, unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return count
}
