//go:build !linux

package plain

import "os"

// dropTyped does nothing on systems other than Linux. On these systems, keys typed before a
// question become part of the answer. An answer that matches no choice counts as "no".
func dropTyped(*os.File) {}
