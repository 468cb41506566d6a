//go:build !linux

package plain

import "os"

// dropTyped does nothing here: only an exact choice counts as consent anyway.
func dropTyped(*os.File) {}
