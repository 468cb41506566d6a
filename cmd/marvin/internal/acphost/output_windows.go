package acphost

import "os"

// Output reserves standard output for its caller. The rest of the program writes to standard error.
func Output(out, diagnostics *os.File) (*os.File, error) {
	own := *out
	*out = *diagnostics
	return &own, nil
}
