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

// killGroup ends only the CLI, because these systems have no process groups.
func killGroup(leader *os.Process) { _ = leader.Kill() }

// lock locks nothing on these systems, and sweep removes no directories.
func lock(*os.File) (free bool, err error) { return true, nil }

func mine(fs.FileInfo) bool { return false }
