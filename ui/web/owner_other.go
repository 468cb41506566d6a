//go:build !linux

package web

import "net"

// ownConnection returns true, because on these systems only the cookie protects the page.
func ownConnection(net.Conn) bool { return true }
