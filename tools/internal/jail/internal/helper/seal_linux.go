package helper

import "syscall"

// seal makes everything read-only except the trees that a command may write to. Landlock does not
// prevent changes to the mode, owner, times, extended attributes or flags of other files.
//
// A user namespace cannot make a read-only mount writable again. So seal copies the mounts of the
// writable trees first, and puts the copies in place afterwards.
//
// A read-only mount does not prevent writes to devices. So without Landlock, seal also disables all
// devices except [everydayDevices].
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
