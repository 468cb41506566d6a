//go:build !unix

package store

import (
	"os"
	"path/filepath"
)

// placeOf is not known here.
func placeOf(string) string { return "" }

// SizeIn is the size of a regular file in a directory that is open.
func SizeIn(dir *os.File, name string) (size int64, ok bool) {
	info, err := os.Lstat(filepath.Join(dir.Name(), name))
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}
