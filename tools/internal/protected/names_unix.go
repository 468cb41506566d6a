//go:build unix

package protected

import (
	"io/fs"
	"syscall"
)

// severalNames reports whether a file has more than one name (hard links).
func severalNames(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}
