package jail

import "golang.org/x/sys/unix"

// openCall is the older way to open.
const openCall = unix.SYS_OPEN

// observedToo are older forms of calls that write, whose first argument is a path. Of a renaming the first name is as good as the second: both are in what is granted.
func observedToo() []int {
	return []int{unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK, unix.SYS_RENAME}
}
