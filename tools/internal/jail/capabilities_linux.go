package jail

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// kept are the capabilities that root has in a jail: those over files, owners and
// ports, which builds in containers use and Landlock holds. All others would reach
// beyond the working directory.
const kept = 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID | 1<<unix.CAP_KILL |
	1<<unix.CAP_SETGID | 1<<unix.CAP_SETUID | 1<<unix.CAP_SETPCAP | 1<<unix.CAP_NET_BIND_SERVICE | 1<<unix.CAP_SETFCAP

// dropCapabilities takes the others from this thread, and from what root gets back
// when it executes a program.
func dropCapabilities() error {
	for capability := uintptr(0); capability <= 63; capability++ {
		if kept>>capability&1 == 1 {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); err != nil {
			// EINVAL: the kernel has no higher one. Else without CAP_SETPCAP, as an ordinary
			// user: execve drops them all.
			break
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("drop what was given for the mounts: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return err
	}
	const low, high = uint32(kept & 0xffffffff), uint32(kept >> 32)
	for i, mask := range [...]uint32{low, high} {
		have[i].Effective &= mask
		have[i].Permitted &= mask
		have[i].Inheritable = 0
	}
	return unix.Capset(&header, &have[0])
}

// hasCapability says whether this process has one.
func hasCapability(capability int) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return false
	}
	return have[capability/32].Effective>>(capability%32)&1 == 1
}
