//go:build unix

package live

import "golang.org/x/sys/unix"

// sessionOf returns the leader of this process's session.
func sessionOf() (int, error) { return unix.Getsid(0) }
