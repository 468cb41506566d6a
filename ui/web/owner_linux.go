package web

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// ownConnection reports whether a connection comes from a process of Marvin's user or of root.
// Browsers send a cookie for 127.0.0.1 to every port, so another user's server can receive the
// cookie. ownConnection prevents that user from using the cookie.
func ownConnection(conn net.Conn) bool {
	from, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return false
	}
	to, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return false
	}
	readable := false
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		file, err := os.Open(table)
		if err != nil {
			continue
		}
		uid, open, found := ownerIn(file, from, to)
		_ = file.Close()
		if found {
			return open && (uid == os.Getuid() || uid == 0)
		}
		readable = true
	}
	return !readable // if both tables are unreadable, the cookie is the only check
}

// ownerIn searches one of the kernel's connection tables for a connection, and returns the owner's
// user ID. For a connection that its owner has closed, open is false; the kernel lists such
// connections under root, with the inode 0.
func ownerIn(table io.Reader, from, to netip.AddrPort) (uid int, open, found bool) {
	local, remote := kernelName(from), kernelName(to)
	lines := bufio.NewScanner(table)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) > 9 && strings.HasSuffix(fields[1], local) && strings.HasSuffix(fields[2], remote) {
			uid, err := strconv.Atoi(fields[7])
			return uid, fields[9] != "0", err == nil
		}
	}
	return 0, false, false
}

// kernelName returns the text that represents an IPv4 address and port in /proc/net/tcp. In
// /proc/net/tcp6, a prefix precedes this text.
func kernelName(address netip.AddrPort) string {
	bytes := address.Addr().Unmap().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(bytes[:]), address.Port())
}
