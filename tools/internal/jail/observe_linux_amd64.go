package jail

import "golang.org/x/sys/unix"

// openCall is the older way to open.
const openCall = unix.SYS_OPEN

// observedToo are older forms of writing calls, whose first argument is a path. For a rename the
// first name is enough: both are in the granted tree.
func observedToo() []int {
	return []int{unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK, unix.SYS_RENAME}
}
