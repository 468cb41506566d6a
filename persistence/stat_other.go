//go:build !unix

package persistence

import (
	"os"
	"path/filepath"
)

// placeOf is not known here.
func placeOf(string) string { return "" }

// sizeIn is the size of a regular file in a directory that is open.
func sizeIn(dir *os.File, name string) (size int64, ok bool) {
	info, err := os.Lstat(filepath.Join(dir.Name(), name))
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}
