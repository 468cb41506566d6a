package resources

import (
	"os"

	"golang.org/x/sys/unix"
)

// KeepMemory prevents the user's other processes, such as commands that a model runs, from reading
// this process's memory and environment, which contain keys. It also keeps keys out of core files.
// The call costs 1 µs. It does nothing if another Marvin started this process, because the outer
// Marvin finds leftover processes by their environment.
func KeepMemory() {
	if os.Getenv("MARVIN_CALL") == "" {
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // Marvin also works without it
	}
}
