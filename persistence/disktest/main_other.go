//go:build !linux || (!amd64 && !arm64)

package disktest

// Main does nothing, because processes cannot be watched on these systems.
func Main() {}
