//go:build unix

package acphost

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Output keeps standard output for its caller: it returns a file that writes there, which no
// child process gets. All other writers in the process, such as a library, write to standard
// error from then.
func Output(out, diagnostics *os.File) (*os.File, error) {
	own, err := unix.FcntlInt(out.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("reserve standard output for the protocol: %w", err)
	}
	if err := dup(int(diagnostics.Fd()), int(out.Fd())); err != nil {
		return nil, fmt.Errorf("reserve standard output for the protocol: %w", err)
	}
	return os.NewFile(uintptr(own), "protocol"), nil
}
