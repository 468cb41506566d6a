package helper

import (
	"errors"
	"syscall"
	"unsafe"
)

// These are kernel constants that the syscall package lacks. A test compares them with
// golang.org/x/sys/unix. System calls from 424 on have the same number on every architecture.
const (
	sysOpenTree     = 428
	sysMoveMount    = 429
	sysOpenat2      = 437
	sysMountSetattr = 442
	sysRuleset      = 444 // landlock_create_ruleset
	sysAddRule      = 445 // landlock_add_rule
	sysRestrictSelf = 446 // landlock_restrict_self

	oPath             = 0x200000
	writable          = 0x2 // W_OK
	resolveNoSymlinks = 0x4

	atWorkingDir      = -0x64
	atSymlinkNoFollow = 0x100
	atEmptyPath       = 0x1000
	atRecursive       = 0x8000
	cloneTree         = 0x1 | syscall.O_CLOEXEC // OPEN_TREE_CLONE, OPEN_TREE_CLOEXEC
	moveFromEmptyPath = 0x4
	moveToEmptyPath   = 0x40
	attrReadOnly      = 0x1
	attrNoDevices     = 0x4

	prSetSeccomp    = 22
	prDropBounding  = 24 // PR_CAPBSET_DROP
	prNoNewPrivs    = 38
	prAmbient       = 47 // PR_CAP_AMBIENT
	ambientClearAll = 4

	modeFilter    = 2 // SECCOMP_MODE_FILTER
	setModeFilter = 1 // SECCOMP_SET_MODE_FILTER
	newListener   = 0x8
	waitKillable  = 0x20

	capabilityVersion = 0x20080522 // _LINUX_CAPABILITY_VERSION_3
)

// A failure is an error and the step that failed.
type failure struct {
	where string
	err   error
}

func (f failure) Error() string { return f.where + ": " + f.err.Error() }

func (f failure) Unwrap() error { return f.err }

// wrap adds the failed step to err. It returns nil if err is nil.
func wrap(where string, err error) error {
	if err == nil {
		return nil
	}
	return failure{where, err}
}

// call makes a system call on the current thread.
//
//go:uintptrescapes
func call(number uintptr, arguments ...uintptr) (int, error) {
	var a [6]uintptr
	copy(a[:], arguments)
	result, _, failed := syscall.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
	if failed != 0 {
		return -1, failed
	}
	return int(result), nil
}

// callAt makes a system call whose first arguments are a directory descriptor and a path.
//
//go:uintptrescapes
func callAt(number uintptr, dir int, path string, rest ...uintptr) (int, error) {
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return -1, err
	}
	var a [4]uintptr
	copy(a[:], rest)
	result, _, failed := syscall.RawSyscall6(number, uintptr(dir), uintptr(unsafe.Pointer(name)), a[0], a[1], a[2], a[3])
	if failed != 0 {
		return -1, failed
	}
	return int(result), nil
}

// openTree returns the descriptor of a copy of the mount at a path.
func openTree(dir int, path string, flags uintptr) (int, error) {
	return callAt(sysOpenTree, dir, path, cloneTree|flags)
}

// moveMount mounts a copied tree at a path, or at an open directory if the path is empty.
func moveMount(tree, dir int, path string) error {
	flags := uintptr(moveFromEmptyPath)
	if path == "" {
		flags |= moveToEmptyPath
	}
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	var empty byte
	_, _, failed := syscall.RawSyscall6(sysMoveMount, uintptr(tree), uintptr(unsafe.Pointer(&empty)), uintptr(dir), uintptr(unsafe.Pointer(name)), flags, 0)
	if failed != 0 {
		return failed
	}
	return nil
}

// setMount adds attributes to the mount at a path.
func setMount(path string, flags uintptr, attributes uint64) error {
	set := [4]uint64{attributes} // struct mount_attr
	_, err := callAt(sysMountSetattr, atWorkingDir, path, flags, uintptr(unsafe.Pointer(&set)), unsafe.Sizeof(set))
	return err
}

// openPath opens a path. It fails with ELOOP if the path contains a symbolic link.
func openPath(path string) (int, error) {
	how := [3]uint64{oPath | syscall.O_CLOEXEC, 0, resolveNoSymlinks} // struct open_how
	return callAt(sysOpenat2, atWorkingDir, path, uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how))
}

func noNewPrivileges() error {
	_, err := call(syscall.SYS_PRCTL, prNoNewPrivs, 1)
	return err
}

// fprog is a filter in the kernel's format: struct sock_fprog.
type fprog struct {
	length uint16
	filter *Instruction
}

func setFilter(filter []Instruction) error {
	filter = insertProcess(filter)
	program := fprog{uint16(len(filter)), &filter[0]}
	_, err := call(syscall.SYS_PRCTL, prSetSeccomp, modeFilter, uintptr(unsafe.Pointer(&program)))
	return err
}

func read(path string) ([]byte, error) {
	file, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, wrap("open "+path, err)
	}
	defer func() { _ = syscall.Close(file) }()
	text := make([]byte, 0, 32<<10)
	for {
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
		n, err := syscall.Read(file, text[len(text):cap(text)])
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return nil, wrap("read "+path, err)
		case n == 0:
			return text, nil
		default:
			text = text[:len(text)+n]
		}
	}
}

func write(path, text string) error {
	file, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return wrap("open "+path, err)
	}
	_, err = syscall.Write(file, []byte(text))
	return errors.Join(wrap("write "+path, err), syscall.Close(file))
}
