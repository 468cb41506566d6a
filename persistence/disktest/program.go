package disktest

import (
	"io/fs"
	"os"
	"syscall"
)

// WriteProgram writes a file that can be executed immediately. It holds syscall.ForkLock, so that
// no child process inherits the open file. Otherwise, the kernel could refuse to execute the file
// ("text file busy").
func WriteProgram(path string, content []byte, mode fs.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, mode)
}
