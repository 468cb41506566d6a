package helper

import "syscall"

// seal makes everything read-only except the trees that a command may write to. Landlock protects
// contents and directories, but not metadata. Without seal, a command could change the mode, owner,
// times, extended attributes and flags of files outside these trees.
//
// A user namespace cannot remove the read-only flag of a mount. So seal first copies the writable
// trees with their mounts, and later mounts the copies over the originals.
//
// Without Landlock, seal also forbids the use of devices, because a read-only mount does not
// prevent writes to devices. Those in [everydayDevices] remain usable.
func (p *Plan) seal(trees []opened) error {
	attributes := uint64(attrReadOnly)
	if p.NoLandlock {
		attributes |= attrNoDevices
		devices, err := openDevices()
		if err != nil {
			return err
		}
		trees = append(trees[:len(trees):len(trees)], devices...)
	}
	copies := make([]int, len(trees))
	for i, each := range trees {
		tree, err := openTree(each.file, "", atRecursive|atEmptyPath)
		if err != nil {
			return wrap("copy the mount of "+each.path, err)
		}
		copies[i] = tree
	}
	if err := setMount("/", atRecursive, attributes); err != nil {
		return wrap("make everything read-only", err)
	}
	for i, each := range trees {
		if err := moveMount(copies[i], each.file, ""); err != nil {
			return wrap("make "+each.path+" writable", err)
		}
		trees[i].file = copies[i] // the writable copy
	}
	return nil
}

func openDevices() (devices []opened, err error) {
	for _, path := range everydayDevices {
		file, err := syscall.Open(path, oPath|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0)
		if missing(err) {
			continue
		}
		if err != nil {
			return nil, wrap("open "+path, err)
		}
		devices = append(devices, opened{path, file})
	}
	return devices, nil
}

// everydayDevices are the devices that store no data.
var everydayDevices = [...]string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
