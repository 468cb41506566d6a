//go:build !unix

package tui

import "os"

// continued never tells anything where shells cannot stop a process.
func continued() (<-chan os.Signal, func()) { return nil, func() {} }

// stopProcess does nothing there.
func stopProcess(<-chan os.Signal) {}
