package disktest

import (
	"io/fs"
	"os"
	"syscall"
)

// WriteProgram writes a file that can be run at once. A child that a parallel test starts
// meanwhile would inherit the file open for writing, and until that child has started its
// own program the kernel refuses to run this one ("text file busy").
func WriteProgram(path string, content []byte, mode fs.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, mode)
}
