// Package disk contains the sandbox's functions for files and paths: they compare the states of
// files, test whether a directory contains a path, and lock files between Marvins.
package disk

import (
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// Tick is the largest step of the kernel's clock for ctime. Two changes of a file that are less
// than CtimeDelay apart may get the same ctime.
const (
	Tick       = 10 * time.Millisecond
	CtimeDelay = 40 * time.Millisecond
)

// Contains reports whether path is dir itself or lies below dir. Both paths must be clean.
func Contains(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+string(os.PathSeparator))
}

// Exists also returns true for a dangling symbolic link.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// IsDir follows symbolic links.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Beginning returns the first bytes of a regular file, or nil for an unreadable one.
func Beginning(path string, most int64) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, most))
	return text
}

// Sorted returns the keys of a map in order.
func Sorted[V any](all map[string]V) []string { return slices.Sorted(maps.Keys(all)) }
