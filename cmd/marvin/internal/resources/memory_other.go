//go:build !linux

package resources

// KeepMemory does nothing on this system.
func KeepMemory() {}
