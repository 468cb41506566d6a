//go:build unix

package copilot

import (
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
