// Package disk has what the sandbox asks about files and paths: whether a file is still the same,
// whether a path lies in a tree, and locks between Marvins.
package disk

import (
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// The clock of the kernel that makes a ctime counts up to Tick at once. So a file that changed a
// short time ago, by Freshly, may change again without another ctime.
const (
	Tick    = 10 * time.Millisecond
	Freshly = 40 * time.Millisecond
)

// Within says whether path is dir or below it. Both are clean.
func Within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+string(os.PathSeparator))
}

// Exists says whether there is something, also a link that leads nowhere.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// IsDir follows links.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Beginning returns the first bytes of a regular file, and nothing of an unreadable one.
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

// Sorted returns the paths of a table in order.
func Sorted[V any](all map[string]V) []string {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
