package toolstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// NothingOpen fails the test if this process has an open file below a directory, because a finished
// call must have closed it. On systems without this information it does nothing.
func NothingOpen(t testing.TB, below, behind string) {
	t.Helper()
	if real, err := filepath.EvalSymlinks(below); err == nil {
		below = real
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, entry := range entries {
		to, err := os.Readlink(filepath.Join("/proc/self/fd", entry.Name()))
		if err == nil && (to == below || strings.HasPrefix(to, below+string(filepath.Separator))) {
			t.Errorf("%s left open: %s", behind, to)
		}
	}
}
