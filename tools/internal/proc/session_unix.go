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

// hasGroup reports, with one system call, whether the process group has members.
func (s *session) hasGroup() bool { return syscall.Kill(-s.leader, 0) == nil }

// ending extracts the exit code and the signal name from a child's state. After a signal, code is
// 128 plus the signal's number.
func ending(state *os.ProcessState) (code int, signal string) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return state.ExitCode(), ""
	}
	return 128 + int(status.Signal()), status.Signal().String()
}

func executable(info os.FileInfo) bool { return info.Mode().IsRegular() && info.Mode()&0o111 != 0 }

func fileNames(program string) []string { return []string{program} }
