package acphost

import "os"

// ReserveStdout returns a file with which only the caller writes to standard output. All other
// output goes to the diagnostics file.
func ReserveStdout(out, diagnostics *os.File) (*os.File, error) {
	own := *out
	*out = *diagnostics
	return &own, nil
}
