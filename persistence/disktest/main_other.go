//go:build !linux || (!amd64 && !arm64)

package disktest

// Main does nothing on systems where processes cannot be watched.
func Main() {}
