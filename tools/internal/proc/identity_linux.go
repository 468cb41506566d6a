package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// marksWork says that processes can be found by their mark.
const marksWork = true

// outlive lets a child live on when ours ends.
func outlive(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = 0 }

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
