//go:build unix

package acphost

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"marvin/cmd/marvin/internal/resources"
)

// ReserveStdout reserves standard output for the caller, and returns a file that writes to standard
// output. Child processes do not inherit this file. The output of all other code in the process,
// such as a library, then goes to diagnostics.
func ReserveStdout(out, diagnostics *os.File) (*os.File, error) {
	own, err := unix.FcntlInt(out.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("reserve standard output for the protocol: %w", err)
	}
	if err := resources.Redirect(int(diagnostics.Fd()), int(out.Fd())); err != nil {
		return nil, fmt.Errorf("reserve standard output for the protocol: %w", err)
	}
	return os.NewFile(uintptr(own), "protocol"), nil
}
