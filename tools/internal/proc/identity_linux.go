package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// marksWork says that processes can be found by their mark.
const marksWork = true

// outlive lets a child live on when ours ends.
func outlive(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = 0 }

func identify(pid int, mark string) Identity {
	return Identity{PID: pid, Started: startOf(pid), Mark: mark}
}

// startOf is when a process began, "" if it is not known.
func startOf(pid int) string {
	process, _ := readStat(pid)
	return process.started
}

// alive goes by the pid alone where an earlier Marvin wrote down no more.
func alive(i Identity) bool {
	process, alive := readStat(i.PID)
	return alive && (i.Started == "" || process.started == i.Started)
}

// carries says whether a process has the mark of the identity. One that is about to
// become another program has no environment for a moment, and is looked at again.
func carries(i Identity) bool {
	for range 20 {
		environ, err := os.ReadFile("/proc/" + strconv.Itoa(i.PID) + "/environ")
		if err != nil || len(environ) > 0 {
			return err == nil && bytes.Contains(environ, []byte(i.Mark))
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
