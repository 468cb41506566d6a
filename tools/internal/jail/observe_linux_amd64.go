package jail

import "golang.org/x/sys/unix"

// openCall is the number of the system call open(2).
const openCall = unix.SYS_OPEN

// observedToo returns the older system calls whose first argument is the path that they change. The
// second path of rename is ignored, because both paths are in the granted tree.
func observedToo() []int {
	return []int{unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK, unix.SYS_RENAME}
}
