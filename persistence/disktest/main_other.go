//go:build !linux || (!amd64 && !arm64)

package disktest

// Main does nothing where no process can be watched.
func Main() {}
