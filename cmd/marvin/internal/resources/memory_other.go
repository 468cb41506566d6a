//go:build !linux

package resources

func KeepMemory() {}
