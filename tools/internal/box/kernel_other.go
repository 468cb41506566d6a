//go:build !linux

package box

import "os"

// fromKernel returns false, because other systems do not show kernel data as files.
func fromKernel(*os.File) bool { return false }
