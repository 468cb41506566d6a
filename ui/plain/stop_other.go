//go:build !unix

package plain

import "os"

// continued never tells: no process is stopped here.
func continued() (<-chan os.Signal, func()) { return nil, func() {} }

func stopProcess(<-chan os.Signal) {}
