package door

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// longestAddress is the maximum length, in bytes, of a socket's path.
const longestAddress = 100

// address shortens a socket path that is too long for the kernel. The short path begins with a file
// descriptor in /proc, which exists only on Linux; on other systems, the path is unchanged. The
// caller must call done() after the last use of the path.
func address(path string) (short string, done func(), err error) {
	if len(path) <= longestAddress || runtime.GOOS != "linux" {
		return path, func() {}, nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path)), func() { _ = dir.Close() }, nil
}
