package toolstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// NothingOpen fails the test if this process has a file open below dir. The error message names
// the action that left the file open, such as a tool call. On systems without /proc, NothingOpen
// does nothing.
func NothingOpen(t testing.TB, dir, action string) {
	t.Helper()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, entry := range entries {
		to, err := os.Readlink(filepath.Join("/proc/self/fd", entry.Name()))
		if err == nil && (to == dir || strings.HasPrefix(to, dir+string(filepath.Separator))) {
			t.Errorf("%s left open: %s", action, to)
		}
	}
}
