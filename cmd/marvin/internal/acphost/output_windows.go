package acphost

import "os"

// ReserveStdout returns a copy of standard output for the caller. It redirects the original to
// diagnostics, which receives all other output.
func ReserveStdout(out, diagnostics *os.File) (*os.File, error) {
	own := *out
	*out = *diagnostics
	return &own, nil
}
