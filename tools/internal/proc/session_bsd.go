//go:build unix && !linux

package proc

import "syscall"

// sessionAttributes returns attributes that give a child its own session.
func sessionAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func (s *session) signalAll(sig syscall.Signal) { _ = syscall.Kill(-s.leader, sig) }

func (s *session) alive() bool { return s.hasGroup() }

// members returns one entry for the whole group, because there is no /proc to search.
func (s *session) members() []Process {
	if !s.alive() {
		return nil
	}
	return []Process{{PID: s.leader, Command: "process group", group: s.leader}}
}
