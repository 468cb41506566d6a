package disktest

import (
	"errors"
	"os"
	"syscall"
)

// OwnMounts returns attributes for a command that runs as root in its own mount namespace, for
// example to mount a small disk. If the machine does not allow user namespaces, the command fails;
// see [NoMounts].
func OwnMounts() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// NoMounts reports whether a command with the attributes of [OwnMounts] failed because this machine
// does not allow user namespaces.
func NoMounts(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL)
}
