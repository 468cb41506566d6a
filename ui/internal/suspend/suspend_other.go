//go:build !unix

package suspend

import "os"

// NotifyContinued returns a nil channel, because shells on these systems cannot stop a process.
func NotifyContinued() (<-chan os.Signal, func()) { return nil, func() {} }

// Process does nothing on these systems.
func Process(<-chan os.Signal) {}
