//go:build !unix

package suspend

import "os"

// NotifyContinued returns a nil channel, because job control exists only on Unix.
func NotifyContinued() (<-chan os.Signal, func()) { return nil, func() {} }

// Process does nothing on systems other than Unix.
func Process(<-chan os.Signal) {}
