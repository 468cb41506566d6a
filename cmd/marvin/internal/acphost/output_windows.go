package acphost

import "os"

// ReserveStdout reserves standard output for the caller, and returns a file that writes to standard
// output. The output of the rest of the program then goes to diagnostics.
func ReserveStdout(out, diagnostics *os.File) (*os.File, error) {
	own := *out
	*out = *diagnostics
	return &own, nil
}
