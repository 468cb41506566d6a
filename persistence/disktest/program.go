package disktest

import (
	"io/fs"
	"os"
	"syscall"
)

// WriteProgram writes a file that can be run immediately. With os.WriteFile, a child process that a
// parallel test starts may inherit the open file, and the kernel then refuses to run the program
// ("text file busy").
func WriteProgram(path string, content []byte, mode fs.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, mode)
}
