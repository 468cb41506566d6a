//go:build !linux

package plain

import "os"

// dropTyped does nothing on these systems. Keys typed earlier still cannot approve anything by
// mistake, because only an exact choice counts.
func dropTyped(*os.File) {}
