//go:build !unix

package suspend

import "os"

// Continued never tells anything where shells cannot stop a process.
func Continued() (<-chan os.Signal, func()) { return nil, func() {} }

// Process does nothing there.
func Process(<-chan os.Signal) {}
