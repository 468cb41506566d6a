//go:build !linux

package plain

import "os"

// dropTyped does nothing on these systems: only an exact choice counts as consent anyway.
func dropTyped(*os.File) {}
