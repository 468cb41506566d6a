//go:build !unix

package suspend

import "os"

// NotifyContinued never reports anything on systems whose shells cannot stop a process.
func NotifyContinued() (<-chan os.Signal, func()) { return nil, func() {} }

// Process does nothing on these systems.
func Process(<-chan os.Signal) {}
