//go:build !linux

package placeholder

// LivingMounts returns nil, because no process has its own mounts on this system.
func LivingMounts() map[string]bool { return nil }
