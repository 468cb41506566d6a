//go:build unix && !linux

package proc

import "syscall"

// sessionAttributes give a child a session of its own.
func sessionAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func (s *session) signal(sig syscall.Signal) { _ = syscall.Kill(-s.leader, sig) }

func (s *session) alive() bool { return s.hasGroup() }

// members names the process group as a whole: there is no /proc to look into.
func (s *session) members() []Process {
	if !s.alive() {
		return nil
	}
	return []Process{{PID: s.leader, Command: "process group", group: s.leader}}
}
