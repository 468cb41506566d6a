//go:build !unix

package store

import (
	"os"
	"path/filepath"
)

func placeOf(string) string { return "" }

// SizeIn returns the size of a regular file in an open directory.
func SizeIn(dir *os.File, name string) (size int64, ok bool) {
	info, err := os.Lstat(filepath.Join(dir.Name(), name))
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}
