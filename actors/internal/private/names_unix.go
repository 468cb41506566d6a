//go:build unix

package private

import (
	"io/fs"
	"syscall"
)

func severalNames(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}
