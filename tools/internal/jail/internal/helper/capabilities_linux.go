package helper

import (
	"syscall"
	"unsafe"
)

// These are the capabilities in [kept], as defined in linux/capability.h.
const (
	capChown          = 0
	capDACOverride    = 1
	capFileOwner      = 3
	capFileSetID      = 4
	capKill           = 5
	capSetGID         = 6
	capSetUID         = 7
	capSetPCap        = 8
	capNetBindService = 10
	capSetFileCap     = 31
)

// kept is the set of capabilities that root keeps in a jail. These capabilities concern files,
// owners and ports: builds in containers need them, and Landlock restricts their effect. All other
// capabilities have effects outside the working directory.
const kept = 1<<capChown | 1<<capDACOverride | 1<<capFileOwner | 1<<capFileSetID | 1<<capKill |
	1<<capSetGID | 1<<capSetUID | 1<<capSetPCap | 1<<capNetBindService | 1<<capSetFileCap

// dropCapabilities removes all capabilities from this thread, except those in [kept]. It also
// removes the same capabilities from the bounding set, so that a program executed as root does not
// regain them.
func dropCapabilities() error {
	for capability := uintptr(0); capability <= 63; capability++ {
		if kept>>capability&1 == 1 {
			continue
		}
		if _, err := call(syscall.SYS_PRCTL, prDropBounding, capability); err != nil {
			// EINVAL means that the kernel has no higher capability. Any other error means that
			// CAP_SETPCAP is missing, as it is for ordinary users. For such a user, execve drops
			// all capabilities.
			break
		}
	}
	if _, err := call(syscall.SYS_PRCTL, prAmbient, ambientClearAll); err != nil {
		return wrap("drop the rights that the mounts needed", err)
	}
	header := struct {
		version uint32
		pid     int32
	}{version: capabilityVersion}
	var have [2]struct{ effective, permitted, inheritable uint32 }
	if _, err := call(syscall.SYS_CAPGET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&have))); err != nil {
		return err
	}
	const low, high = uint32(kept & 0xffffffff), uint32(kept >> 32)
	for i, mask := range [...]uint32{low, high} {
		have[i].effective &= mask
		have[i].permitted &= mask
		have[i].inheritable = 0
	}
	_, err := call(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&have)))
	return err
}
