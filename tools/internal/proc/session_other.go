//go:build !unix

package proc

import (
	"os"
	"syscall"
)

const (
	terminate = syscall.SIGTERM
	kill      = syscall.SIGKILL
)

// On this system only the child itself can be stopped; its own children continue.

func sessionAttributes() *syscall.SysProcAttr { return nil }

func (s *session) signalAll(syscall.Signal) {
	if child, err := os.FindProcess(s.leader); err == nil {
		_ = child.Kill() // on this system a child can only be killed
	}
}

func (s *session) alive() bool { return false }

func (s *session) hasGroup() bool { return false }

func (s *session) members() []Process { return nil }

func ending(state *os.ProcessState) (code int, signal string) { return state.ExitCode(), "" }

func executable(info os.FileInfo) bool { return info.Mode().IsRegular() }

func fileNames(program string) []string { return []string{program + ".exe", program} }
