//go:build unix

package disk

import (
	"os"
	"syscall"
)

// NoFollow has an open fail at a symbolic link, NoWait not wait at a pipe.
const (
	NoFollow = syscall.O_NOFOLLOW
	NoWait   = syscall.O_NONBLOCK
)

// Share takes a shared lock; false means that another process holds it exclusively. It does not
// wait.
func Share(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil
}

// Claim takes the exclusive lock, if it is free. It does not wait.
func Claim(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// Release gives a lock back and closes the file. Closing alone is not enough: a child that is being
// started has a copy for a moment.
func Release(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	_ = file.Close()
}

// Writable says whether this user may write to what is there, or speak to it.
func Writable(path string) bool { return syscall.Access(path, 2) == nil }
