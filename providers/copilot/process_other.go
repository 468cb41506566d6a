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

// killGroup ends only the CLI itself, because these systems have no process groups.
func killGroup(leader *os.Process) { _ = leader.Kill() }

// lock and mine are functions that do nothing on these systems, so no directory is removed.
func lock(*os.File) (free bool, err error) { return true, nil }

func mine(fs.FileInfo) bool { return false }
