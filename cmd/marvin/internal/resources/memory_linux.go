package resources

import (
	"os"

	"golang.org/x/sys/unix"
)

// KeepMemory prevents the user's other processes, such as commands that a model runs, from reading
// this process's memory and environment, which contain keys. It also prevents core dumps. The
// system call takes 1 µs. If MARVIN_CALL is set, KeepMemory does nothing, because the Marvin
// process that set MARVIN_CALL finds leftover processes by their environment.
func KeepMemory() {
	if os.Getenv("MARVIN_CALL") == "" {
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // if this fails, Marvin runs unprotected
	}
}
