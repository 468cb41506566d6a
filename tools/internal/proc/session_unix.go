//go:build unix

package proc

import (
	"os"
	"syscall"
)

const (
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// hasGroup reports whether the process group has any member. It is cheap.
func (s *session) hasGroup() bool { return syscall.Kill(-s.leader, 0) == nil }

// ending returns a child's exit code, and the name of the signal that ended the child, if any.
func ending(state *os.ProcessState) (code int, signal string) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return state.ExitCode(), ""
	}
	return 128 + int(status.Signal()), status.Signal().String()
}

func executable(info os.FileInfo) bool { return info.Mode().IsRegular() && info.Mode()&0o111 != 0 }

func fileNames(program string) []string { return []string{program} }
