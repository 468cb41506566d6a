//go:build !linux

package jail

func ofSystem(string, string) bool { return false }
