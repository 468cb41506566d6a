//go:build unix

package resources

import (
	"golang.org/x/sys/unix"
)

// OpenFiles returns the maximum number of files that this process can open at the same time. It
// returns 0 if the limit is unknown or very high.
func OpenFiles() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur)
}
