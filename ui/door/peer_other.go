//go:build !linux

package door

import "net"

// peerOf relies on the private directory on these systems and checks nothing.
func peerOf(*net.UnixConn) (started bool, err error) { return false, nil }
