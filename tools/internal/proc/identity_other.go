//go:build !linux

package proc

import (
	"os"
	"syscall"
)

// Without /proc there are neither marks nor start times, so only pids identify processes.
const marksWork = false

func outlive(*syscall.SysProcAttr) {} // without Pdeathsig, children survive Marvin

func startOf(int) string { return "" }

func identify(pid int, mark string) Identity { return Identity{PID: pid, Mark: mark} }

func isAlive(i Identity) bool {
	process, err := os.FindProcess(i.PID)
	return err == nil && process.Signal(syscall.Signal(0)) == nil
}

func carries(Identity) bool { return true }
