package acphost

import "os"

// ReserveStdout returns a file for standard output that only the caller uses. The rest of the
// program then writes to standard error.
func ReserveStdout(out, diagnostics *os.File) (*os.File, error) {
	own := *out
	*out = *diagnostics
	return &own, nil
}
