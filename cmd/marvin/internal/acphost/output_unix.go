//go:build unix

package acphost

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"marvin/cmd/marvin/internal/resources"
)

// ReserveStdout returns a duplicate of standard output that child processes do not inherit. It
// redirects the original descriptor to diagnostics, so no other code can write to standard output.
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
