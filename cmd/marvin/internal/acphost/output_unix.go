//go:build unix

package acphost

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"marvin/cmd/marvin/internal/resources"
)

// Output reserves standard output for the caller. It returns a file for standard output that no
// child process inherits. From then on all other code in the process, such as a library, writes to
// standard error instead.
func Output(out, diagnostics *os.File) (*os.File, error) {
	own, err := unix.FcntlInt(out.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("reserve standard output for the protocol: %w", err)
	}
	if err := resources.Redirect(int(diagnostics.Fd()), int(out.Fd())); err != nil {
		return nil, fmt.Errorf("reserve standard output for the protocol: %w", err)
	}
	return os.NewFile(uintptr(own), "protocol"), nil
}
