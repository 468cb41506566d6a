package toolstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// NothingOpen fails the test if dir or a file below dir is open in this process. The error message
// begins with the given action. On systems without /proc, NothingOpen does nothing.
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
