//go:build !unix

package copilot

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	programEnding = ".exe"
	homeVar       = "USERPROFILE"
)

func ownSession() *syscall.SysProcAttr { return nil }

// killGroup kills only the CLI itself, because non-Unix systems have no process groups.
func killGroup(leader *os.Process) { _ = leader.Kill() }

// lock does nothing. On non-Unix systems, sweep removes no directories.
func lock(*os.File) (free bool, err error) { return true, nil }

func mine(fs.FileInfo) bool { return false }
