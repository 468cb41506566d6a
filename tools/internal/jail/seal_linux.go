package jail

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// seal makes everything read-only except what the plan lets a command write. Landlock restricts
// contents and directories, but not metadata: mode, owner, times, extended attributes and flags of
// outside files would be changeable.
//
// Writable trees are copied first, with their mounts, and mounted over themselves again: removing
// the read-only flag in place is refused in a user namespace.
//
// If nothing else does, it also keeps commands from devices, which can be written on a read-only
// mount; the common devices are put back.
func (p *plan) seal(trees []opened) error {
	attributes := uint64(unix.MOUNT_ATTR_RDONLY)
	if p.Lacks&noLandlock != 0 {
		attributes |= unix.MOUNT_ATTR_NODEV
		devices, err := openDevices()
		if err != nil {
			return err
		}
		trees = append(trees[:len(trees):len(trees)], devices...)
	}
	copies := make([]int, len(trees))
	for i, each := range trees {
		tree, err := unix.OpenTree(each.file, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_EMPTY_PATH)
		if err != nil {
			return fmt.Errorf("copy the mount of %s: %w", each.path, err)
		}
		copies[i] = tree
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: attributes}); err != nil {
		return fmt.Errorf("make everything read-only: %w", err)
	}
	for i, each := range trees {
		if err := unix.MoveMount(copies[i], "", each.file, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH); err != nil {
			return fmt.Errorf("make %s writable: %w", each.path, err)
		}
		trees[i].file = copies[i] // what is writable now
	}
	return nil
}

// openDevices takes hold of the devices that programs need.
func openDevices() (devices []opened, err error) {
	for _, path := range everydayDevices {
		file, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
		devices = append(devices, opened{path, file})
	}
	return devices, nil
}

// everydayDevices are those that hold nothing.
var everydayDevices = [...]string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
