//go:build unix

package disk

import (
	"os"
	"syscall"
)

// NoFollow makes [os.OpenFile] fail for a symbolic link. NoWait keeps [os.OpenFile] from blocking
// on a pipe.
const (
	NoFollow = syscall.O_NOFOLLOW
	NoWait   = syscall.O_NONBLOCK
)

// Share takes a shared lock without waiting. It returns false if another process holds the
// exclusive lock.
func Share(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil
}

// Claim takes the exclusive lock without waiting, and reports whether it succeeded.
func Claim(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// Release unlocks and closes a file. Closing alone is not enough, because a forked child holds a
// copy of the descriptor until it executes its program.
func Release(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	_ = file.Close()
}

// Writable reports whether this user can write to a file or connect to a socket.
func Writable(path string) bool { return syscall.Access(path, 2) == nil }
