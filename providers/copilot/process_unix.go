//go:build unix

package copilot

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const (
	programEnding = ""
	homeVar       = "HOME"
)

// ownSession returns attributes for starting the CLI in a new session. The terminal's Ctrl-C then
// does not reach the CLI, and the CLI's children can be found by their process group.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killGroup kills the CLI's process group, including a child (`--binary-version`) that can use a
// whole core. A CLI that cannot unpack itself leaves such a child.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }

// lock acquires an exclusive lock on an open file without waiting. If another process holds the
// lock, free is false and err is nil.
func lock(file *os.File) (free bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func mine(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid()
}
