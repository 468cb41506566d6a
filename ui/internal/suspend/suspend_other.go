//go:build !unix

package suspend

import "os"

// NotifyContinued returns a nil channel, because only Unix shells can stop a process.
func NotifyContinued() (<-chan os.Signal, func()) { return nil, func() {} }

// Process does nothing on systems other than Unix.
func Process(<-chan os.Signal) {}
