package jail

import (
	"fmt"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/helper"
)

// A command can stop a server that an earlier command left running, but not the user's programs.
// Landlock (version 6) is too strict, because it limits signals to the command's own processes.
// Therefore a seccomp filter passes kill calls to Marvin if the target's PID is lower than the
// command's PID; a filter can only compare PIDs. Marvin, which is not confined, sends the signal if
// the target is in one of Marvin's jails: see [errands]. Landlock decides on all other kill calls.

// listen returns the helper's report: a layer's error, or an empty report if the command begins.
// The helper sends descriptors before the report. These are passed to e.serve, e.listenFor or
// e.takeDoors.
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
			return nil, fmt.Errorf("receive the files opened by the helper: %w", err)
		}
	}
}

// newVerdict creates the socket pair for the helper's report.
func newVerdict() (parent, child int, err error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	return ends[0], ends[1], err
}
