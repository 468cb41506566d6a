//go:build unix

package resources

import (
	"golang.org/x/sys/unix"
)

// OpenFiles returns how many files this process may have open at the same time, or 0 if there is no
// relevant limit.
func OpenFiles() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur)
}
