package jail

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/disk"
)

// Landlock is three system calls. go-landlock, which wraps them, restricts all threads
// of a process, as it must; here the others end with execve, and stopping them twice
// took 0.3 to 7 ms of each command on a busy machine.

// leastLandlock is the first version that holds everything a file can lose: before
// it, any file could be emptied.
const leastLandlock = 3

// What is handled is what changes something. Reading is only handled where nothing can be
// hidden by mounts.
const (
	readFile  = unix.LANDLOCK_ACCESS_FS_READ_FILE
	readTree  = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	writeFile = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	writeTree = writeFile | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_REFER
	makeDevice = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK // granted nowhere
	control    = unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// restrictFiles lets the thread write only where the plan says, for ever.
func (p *plan) restrictFiles(trees []opened) (layer string, err error) {
	version, err := landlockVersion()
	switch {
	case err != nil:
		return "Landlock", fmt.Errorf("the kernel has none, or it is switched off (lsm= on its command line): %w", err)
	case version < leastLandlock:
		return "Landlock", fmt.Errorf("the kernel has version %d, %d is needed (Linux 6.2)", version, leastLandlock)
	}
	handled, scoped := uint64(writeTree|makeDevice), uint64(0)
	if version >= 5 {
		handled |= control
	}
	if p.Held || p.Lacks&noMounts != 0 {
		handled |= readTree
	}
	handed := (version >= 6 || p.Network) && handOver(p.Observe, p.Network)
	if p.Network && !handed {
		return hostsLayer, errors.New("the kernel does not report connections to Marvin, as in a nested sandbox")
	}
	if version >= 6 {
		scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
		// Without delegation, stopping the server of an earlier command matters more than
		// protecting the user's programs from signals.
		if handed || p.Offline {
			scoped |= unix.LANDLOCK_SCOPE_SIGNAL
		}
	}
	rules, err := newRuleset(unix.LandlockRulesetAttr{Handled_access_fs: handled, Scoped: scoped})
	if err != nil {
		return "rules of Landlock", err
	}
	defer func() { _ = unix.Close(rules) }()
	if err := errors.Join(p.grantAll(rules, handled, trees), restrictSelf(rules)); err != nil {
		return "rules of Landlock", err
	}
	return "", nil
}

// grantAll allows what is handled where the plan says.
func (p *plan) grantAll(rules int, handled uint64, trees []opened) (err error) {
	for _, device := range everydayDevices {
		err = errors.Join(err, grant(rules, device, writeFile))
	}
	for _, each := range trees {
		err = errors.Join(err, grantFile(rules, each.path, each.file, (writeTree|readTree)&handled))
	}
	err = errors.Join(err, grant(rules, "/dev/shm", writeTree))
	if p.Lacks&noMounts != 0 {
		return errors.Join(err, p.grantReading(rules))
	}
	if p.Held {
		err = errors.Join(err, p.grantReading(rules))
	}
	for _, device := range [...]string{"/dev/ptmx", "/dev/pts"} { // its own: see mount
		err = errors.Join(err, grant(rules, device, (writeFile|control)&handled))
	}
	if !disk.Within("/tmp", p.Root) { // else it is the machine's
		err = errors.Join(err, grant(rules, "/tmp", writeTree))
	}
	return err
}

// restrictSelf puts rules on this thread, for ever.
func restrictSelf(rules int) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	if _, _, failed := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); failed != 0 {
		return fmt.Errorf("put it on: %w", failed)
	}
	return nil
}

func landlockVersion() (int, error) {
	version, _, failed := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if failed != 0 {
		return 0, failed
	}
	return int(version), nil
}

// newRuleset makes a descriptor of rules. The kernel takes a longer structure than it
// knows if the rest is zero.
func newRuleset(attributes unix.LandlockRulesetAttr) (int, error) {
	rules, _, failed := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0)
	if failed != 0 {
		return -1, failed
	}
	return int(rules), nil
}

// grant allows rights in a tree, or of them what a single file has. What does not
// exist (any more) needs no grant.
func grant(rules int, path string, rights uint64) error {
	file, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("grant %s: %w", path, err)
	}
	defer func() { _ = unix.Close(file) }()
	return grantFile(rules, path, file, rights)
}

// grantFile is grant for an open file.
func grantFile(rules int, path string, file int, rights uint64) error {
	var info unix.Stat_t
	if err := unix.Fstat(file, &info); err != nil {
		return fmt.Errorf("grant %s: %w", path, err)
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= writeFile | readFile | control
	}
	// The structure of the kernel is packed; its first 12 bytes are the same.
	beneath := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(file)}
	_, _, failed := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
	if failed != 0 {
		return fmt.Errorf("grant %s: %w", path, failed)
	}
	return nil
}
