package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// marksWork says that processes can be found by their mark.
const marksWork = true

// detachedAttributes give a child a session of its own that does not end with ours.
func detachedAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func identify(pid int, mark string) Identity {
	process, _ := readStat(pid)
	return Identity{PID: pid, Started: process.started, Mark: mark}
}

// alive goes by the pid alone where an earlier Marvin wrote down no more.
func alive(i Identity) bool {
	process, alive := readStat(i.PID)
	return alive && (i.Started == "" || process.started == i.Started)
}

// carries says whether a process has the mark of the identity.
func carries(i Identity) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(i.PID) + "/environ")
	return err == nil && bytes.Contains(environ, []byte(i.Mark))
}
