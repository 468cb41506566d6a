package jail

import "golang.org/x/sys/unix"

// openCall is the number of the older system call open.
const openCall = unix.SYS_OPEN

// observedToo returns the older system calls that write and that take a path as their first
// argument. For the system call rename, the first path is enough, because both paths are in the
// granted tree.
func observedToo() []int {
	return []int{unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK, unix.SYS_RENAME}
}
