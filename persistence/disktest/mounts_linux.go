package disktest

import (
	"errors"
	"os"
	"syscall"
)

// OwnMounts have a command begin as root of mounts of its own, where it can make a small disk. It
// needs user namespaces: see [NoMounts].
func OwnMounts() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// NoMounts says of an error of such a command that this machine gives no user namespaces.
func NoMounts(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL)
}
