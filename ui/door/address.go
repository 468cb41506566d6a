package door

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// longestAddress is the maximum length of a socket's path in bytes.
const longestAddress = 100

// address shortens the path of a socket if the path is too long for the kernel. It opens the
// socket's directory and returns a path through the file descriptor. This works only on Linux. On
// other systems, address returns the path unchanged. The caller must call done after the last use
// of the returned path.
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
