package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// marksWork reports whether processes can be found by their mark.
const marksWork = true

// outlive adjusts attributes so that the child is not killed when Marvin ends.
func outlive(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = 0 }

func identify(pid int, mark string) Identity {
	return Identity{PID: pid, Started: startOf(pid), Mark: mark}
}

// startOf returns the start time of a process, or "" if it is unknown.
func startOf(pid int) string {
	process, _ := readStat(pid)
	return process.started
}

// isAlive reports whether a process with this pid and start time exists. If the start time was not
// recorded, the pid is enough.
func isAlive(i Identity) bool {
	process, alive := readStat(i.PID)
	return alive && (i.Started == "" || process.started == i.Started)
}

// execution limits how long [carries] waits for a non-empty environment. During execve, which can
// be slow on a busy machine, a process's environment is empty.
const execution = 2 * time.Second

// carries returns true if a process has the identity's mark in its environment. If the environment
// is empty, it is read again, because the process may have called execve.
func carries(i Identity) bool {
	for range execution / time.Millisecond {
		environ, err := os.ReadFile("/proc/" + strconv.Itoa(i.PID) + "/environ")
		if err != nil || len(environ) > 0 {
			return err == nil && bytes.Contains(environ, []byte(i.Mark))
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
