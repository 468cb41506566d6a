package resources

import (
	"os"

	"golang.org/x/sys/unix"
)

// KeepMemory keeps other processes of the user, such as the commands that a model runs,
// from reading this one's memory and environment, where the keys are, and keys out of
// core files. It costs 1 µs. A Marvin within a Marvin stays readable: the outer one finds
// what it left behind by its environment.
func KeepMemory() {
	if os.Getenv("MARVIN_CALL") == "" {
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // without it Marvin works as well
	}
}
