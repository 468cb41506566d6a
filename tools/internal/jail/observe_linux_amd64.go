package jail

import "golang.org/x/sys/unix"

// openCall is the old open call.
const openCall = unix.SYS_OPEN

// observedToo returns the older calls that write and whose first argument is a path. For rename the
// first path is enough: both paths are in the granted tree.
func observedToo() []int {
	return []int{unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK, unix.SYS_RENAME}
}
