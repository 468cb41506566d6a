//go:build !linux

package plain

import "os"

// dropTyped does nothing on systems other than Linux. Keys typed before a question become part of
// the answer, but only an exact choice approves anything.
func dropTyped(*os.File) {}
