package box

import (
	"os"

	"golang.org/x/sys/unix"
)

// fromKernel reports whether the kernel generates the content of a file. For example,
// /proc/self/environ has the mode of a regular file but exposes all environment variables.
func fromKernel(file *os.File) bool {
	var stat unix.Statfs_t
	if unix.Fstatfs(int(file.Fd()), &stat) != nil {
		return false
	}
	switch stat.Type {
	case unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.SECURITYFS_MAGIC:
		return true
	}
	return false
}
