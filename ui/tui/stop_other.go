//go:build !unix

package tui

// stopProcess does nothing where shells cannot stop a process.
func stopProcess() {}
