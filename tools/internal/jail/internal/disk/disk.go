// Package disk contains the sandbox's functions for comparing files, comparing paths and locking
// files.
package disk

import (
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// Tick is the coarsest granularity of ctimes. Two changes to a file within CtimeDelay can have the
// same ctime.
const (
	Tick       = 10 * time.Millisecond
	CtimeDelay = 40 * time.Millisecond
)

// Contains reports whether path is dir itself or lies below dir. Both paths must be clean.
func Contains(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+string(os.PathSeparator))
}

// Exists reports whether path exists. It does not follow symbolic links.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// IsDir reports whether path is a directory. It follows symbolic links.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Beginning returns the start of a regular file, up to the given number of bytes. It returns nil if
// path is not a readable regular file.
func Beginning(path string, limit int64) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, limit))
	return text
}

// Sorted returns the sorted keys of a map.
func Sorted[V any](all map[string]V) []string { return slices.Sorted(maps.Keys(all)) }
