package resources

import (
	"os"

	"golang.org/x/sys/unix"
)

// KeepMemory prevents other processes of the user, such as commands of a model, from reading this
// process's memory and environment with the keys, and keeps keys out of core files. It costs 1 µs.
// A Marvin that another Marvin started stays readable, because the outer Marvin finds leftover
// processes by their environment.
func KeepMemory() {
	if os.Getenv("MARVIN_CALL") == "" {
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // Marvin also works without it
	}
}
