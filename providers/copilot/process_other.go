//go:build !unix

package copilot

import (
	"os"
	"syscall"
)

const (
	programEnding = ".exe"
	homeVar       = "USERPROFILE"
)

func apart() *syscall.SysProcAttr { return nil }

// killGroup ends the CLI itself; there are no process groups to go by.
func killGroup(leader *os.Process) { _ = leader.Kill() }
