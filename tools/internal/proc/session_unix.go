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

// hasGroup asks cheaply whether anybody is left in the process group.
func (s *session) hasGroup() bool { return syscall.Kill(-s.leader, 0) == nil }

// ending is a child's exit code and, if one ended it, the name of the signal.
func ending(state *os.ProcessState) (code int, signal string) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return state.ExitCode(), ""
	}
	return 128 + int(status.Signal()), status.Signal().String()
}

// executable says whether a file may be run.
func executable(info os.FileInfo) bool { return info.Mode().IsRegular() && info.Mode()&0o111 != 0 }

func fileNames(program string) []string { return []string{program} }
