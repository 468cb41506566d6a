package jail

import (
	"fmt"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/helper"
)

// A command shall stop the server that an earlier one left running, and no process of the
// user's. Landlock (version 6) keeps signals within what a command started itself, which
// is too little; no filter knows who is who. So of kill, whose arguments are all numbers,
// the filter hands to Marvin what is for a process that began before the command, and
// Marvin, whom nothing holds, sends the signal if that one is in a jail of the same
// Marvin: see [errands]. All else the kernel decides as Landlock says.

// listen reads what the helper says: the error of a layer, or nothing once the command
// begins. What is handed over before is served as long as the command or what it started
// lives.
func (e *Entry) listen() (said []byte, err error) {
	rights := make([]byte, unix.CmsgSpace(4*(2+helper.Inward)))
	text := make([]byte, 4<<10)
	for {
		n, oobn, _, _, err := unix.Recvmsg(int(e.verdict.Fd()), text, rights, unix.MSG_CMSG_CLOEXEC)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, fmt.Errorf("wait for the sandbox: %w", err)
		case oobn == 0:
			return text[:n], nil
		}
		take := e.serve
		if string(text[:n]) == helper.GateWord {
			take = e.listenFor
		}
		if string(text[:n]) == helper.DoorsWord {
			take = e.takeDoors
		}
		if err := take(rights[:oobn]); err != nil {
			return nil, fmt.Errorf("take over what the helper made: %w", err)
		}
	}
}

// newVerdict makes the two ends on which the helper tells how it went.
func newVerdict() (parent, child int, err error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	return ends[0], ends[1], err
}
