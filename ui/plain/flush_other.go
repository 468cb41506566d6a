//go:build !linux

package plain

import "os"

// dropTyped does nothing on these systems. Keys that were typed before a question cannot approve
// anything by mistake, because a line must be exactly one of the choices.
func dropTyped(*os.File) {}
