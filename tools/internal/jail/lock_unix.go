//go:build unix

package jail

import (
	"errors"
	"os"
	"syscall"
)

// noFollow has an open fail at a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// share takes a shared lock; false means that another process holds it exclusively. It does not
// wait.
func share(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil
}

// claim takes the exclusive lock, if it is free. It does not wait.
func claim(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// writable says whether this user may write to what is there, or speak to it.
func writable(path string) bool { return syscall.Access(path, 2) == nil }

// refusesNamespaces tells a system that has none for this user, or not so many, from one
// that is out of processes or memory.
func refusesNamespaces(err error) bool {
	for _, number := range []syscall.Errno{syscall.EPERM, syscall.EACCES, syscall.EINVAL, syscall.ENOSPC, syscall.ENOSYS, syscall.EUSERS} {
		if errors.Is(err, number) {
			return true
		}
	}
	return false
}

// release gives a lock back and closes the file. Closing alone would not do: a child that
// is just being started has a copy for a moment.
func release(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	_ = file.Close()
}
