//go:build !unix

package disk

import "os"

// NoFollow and NoWait have no effect on this system.
const NoFollow, NoWait = 0, 0

func Share(*os.File) bool   { return false }
func Claim(*os.File) bool   { return false }
func Release(file *os.File) { _ = file.Close() }
func Writable(string) bool  { return true }
