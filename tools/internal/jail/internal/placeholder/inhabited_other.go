//go:build !linux

package placeholder

// LivingMounts returns nothing: no process has mounts of its own.
func LivingMounts() map[string]bool { return nil }
