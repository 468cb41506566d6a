package helper

import (
	"errors"
	"strconv"
	"syscall"
	"unsafe"
)

// This file makes the three Landlock system calls directly, for the current thread only. That
// suffices, because execve ends all other threads. The go-landlock library would have to stop and
// restrict all threads, which delays each command by 0.3 to 7 ms on a busy machine.

// leastLandlock is the first version that protects files completely. Earlier versions let commands
// truncate any file.
const leastLandlock = 3

// These are the rights defined in linux/landlock.h. Landlock always restricts changes to files. It
// restricts reading only if [Plan.Held] or [Plan.NoMounts] is set.
const (
	execute = 1 << iota
	overwrite
	readFile
	readDir
	removeDir
	removeFile
	makeCharDevice
	makeDir
	makeFile
	makeSocket
	makeFifo
	makeBlockDevice
	makeLink
	refer
	truncate
	control // ioctl on devices

	readTree   = readFile | readDir
	writeFile  = overwrite | truncate
	writeTree  = writeFile | removeDir | removeFile | makeDir | makeFile | makeLink | makeSocket | makeFifo | refer
	makeDevice = makeCharDevice | makeBlockDevice // granted nowhere

	scopeAbstractSockets = 1
	scopeSignals         = 2
)

// restrictFiles permanently restricts this thread to the files that the plan allows.
func (p *Plan) restrictFiles(trees []opened) (layer string, err error) {
	version, err := landlockVersion()
	switch {
	case err != nil:
		return "Landlock", wrap("the kernel lacks Landlock, or Landlock is switched off (lsm= on the kernel command line)", err)
	case version < leastLandlock:
		return "Landlock", errors.New("the kernel has version " + strconv.Itoa(version) + ", " + strconv.Itoa(leastLandlock) + " is needed (Linux 6.2)")
	}
	handled, scoped := uint64(writeTree|makeDevice), uint64(0)
	if version >= 5 {
		handled |= control
	}
	if p.Held || p.NoMounts {
		handled |= readTree
	}
	handed := (version >= 6 || p.Network) && handOver(p.Handing, p.Network)
	if p.Network && !handed {
		return HostsLayer, errors.New("the kernel does not tell Marvin about connections, for example because the sandbox is nested")
	}
	if version >= 6 {
		scoped = scopeAbstractSockets
		// scopeSignals limits signals to the command's own processes. If handed is true, Marvin
		// sends the permitted signals to servers of earlier commands. Otherwise, only offline
		// commands get the limit, so that other commands can stop such servers.
		if handed || p.Offline {
			scoped |= scopeSignals
		}
	}
	rules, err := newRuleset(handled, scoped)
	if err != nil {
		return "rules of Landlock", err
	}
	defer func() { _ = syscall.Close(rules) }()
	if err := errors.Join(p.grantAll(rules, handled, trees), restrictSelf(rules)); err != nil {
		return "rules of Landlock", err
	}
	return "", nil
}

// grantAll adds the plan's permissions to a ruleset. Only handled rights are granted.
func (p *Plan) grantAll(rules int, handled uint64, trees []opened) (err error) {
	for _, device := range everydayDevices {
		err = errors.Join(err, grant(rules, device, writeFile))
	}
	for _, each := range trees {
		err = errors.Join(err, grantFile(rules, each.path, each.file, (writeTree|readTree)&handled))
	}
	err = errors.Join(err, grant(rules, "/dev/shm", writeTree))
	if p.NoMounts {
		return errors.Join(err, p.grantReading(rules))
	}
	if p.Held {
		err = errors.Join(err, p.grantReading(rules))
	}
	for _, device := range [...]string{"/dev/ptmx", "/dev/pts"} { // [Plan.mount] gives the command its own terminals
		err = errors.Join(err, grant(rules, device, (writeFile|control)&handled))
	}
	if !inside("/tmp", p.Root) { // /tmp is the command's private directory
		err = errors.Join(err, grant(rules, "/tmp", writeTree))
	}
	return err
}

func restrictSelf(rules int) error {
	if err := noNewPrivileges(); err != nil {
		return wrap("no_new_privs", err)
	}
	_, err := call(sysRestrictSelf, uintptr(rules))
	return wrap("put it on", err)
}

func landlockVersion() (int, error) { return call(sysRuleset, 0, 0, 1) } // LANDLOCK_CREATE_RULESET_VERSION

// newRuleset returns the descriptor of a new ruleset. Older kernels accept zeros in fields that
// they do not know.
func newRuleset(handled, scoped uint64) (int, error) {
	attributes := [3]uint64{handled, 0, scoped} // struct landlock_ruleset_attr
	return call(sysRuleset, uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes))
}

// grant adds a rule for a path to a ruleset, and ignores a missing path. For a file, it drops the
// rights that apply only to directories.
func grant(rules int, path string, rights uint64) error {
	file, err := syscall.Open(path, oPath|syscall.O_CLOEXEC, 0)
	if missing(err) {
		return nil
	}
	if err != nil {
		return wrap("grant "+path, err)
	}
	defer func() { _ = syscall.Close(file) }()
	return grantFile(rules, path, file, rights)
}

// grantFile adds a rule for an open file or directory. It uses path only in errors.
func grantFile(rules int, path string, file int, rights uint64) error {
	var info syscall.Stat_t
	if err := syscall.Fstat(file, &info); err != nil {
		return wrap("grant "+path, err)
	}
	if kind(info) != syscall.S_IFDIR {
		rights &= writeFile | readFile | control
	}
	beneath := struct { // struct landlock_path_beneath_attr, whose fields are packed into 12 bytes
		rights uint64
		parent int32
	}{rights, int32(file)}
	_, err := call(sysAddRule, uintptr(rules), 1, uintptr(unsafe.Pointer(&beneath))) // LANDLOCK_RULE_PATH_BENEATH
	return wrap("grant "+path, err)
}
