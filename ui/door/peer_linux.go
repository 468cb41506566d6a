package door

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// callMark is the prefix of an entry in the environment. Every program that a tool call starts has
// such an entry.
const callMark = "MARVIN_CALL="

// peerOf returns an error if the process at the other end of conn belongs to another user. byTool
// reports whether a tool call started the process; if so, the process must not act for the user.
func peerOf(conn *net.UnixConn) (byTool bool, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return false, err
	}
	var peer *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil || failed != nil {
		return false, errors.Join(err, failed)
	}
	if int(peer.Uid) != os.Getuid() {
		return false, fmt.Errorf("this conversation belongs to user %d, and you are user %d", os.Getuid(), peer.Uid)
	}
	return marked(int(peer.Pid)) || descends(int(peer.Pid), os.Getpid()), nil
}

// marked is true if the environment of a process contains callMark. It is false if the environment
// is unreadable, as in a Marvin process that the user started.
func marked(process int) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/environ")
	if err != nil {
		return false
	}
	return bytes.HasPrefix(environ, []byte(callMark)) || bytes.Contains(environ, []byte("\x00"+callMark))
}

// mostAncestors is the maximum number of ancestors to examine.
const mostAncestors = 64

// descends is true if process is a descendant of ancestor.
func descends(process, ancestor int) bool {
	for range mostAncestors {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/stat")
		if err != nil {
			return false
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // state, parent, …
		if len(fields) < 2 {
			return false
		}
		if process, err = strconv.Atoi(fields[1]); err != nil || process <= 1 {
			return false
		}
		if process == ancestor {
			return true
		}
	}
	return true // a user's shell has fewer than mostAncestors ancestors
}
