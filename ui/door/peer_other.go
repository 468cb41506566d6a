//go:build !linux

package door

import "net"

// peerOf relies on the directory there, which nobody else may enter.
func peerOf(*net.UnixConn) (started bool, err error) { return false, nil }
