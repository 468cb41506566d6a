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

// apart gives the CLI a session of its own: the terminal's Ctrl-C is not for it, and
// what it starts can be found by its group.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killGroup ends the CLI and all that it started. The `--binary-version` child of a
// CLI that could not unpack itself was seen to outlive it and to burn a core.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }

// lock locks an open file, unless another process holds the lock.
func lock(file *os.File) (free bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// mine reports whether a file is this user's.
func mine(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid()
}
