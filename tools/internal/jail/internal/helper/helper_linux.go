package helper

import (
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// init executes the command if this process was started as a helper. It runs on the main thread,
// whose restrictions the command inherits through execve.
func init() {
	if _, wanted := syscall.Getenv(Variable); !wanted {
		return
	}
	args, err := arguments()
	if err == nil && (len(args) < 5 || args[1] != Word) {
		return
	}
	layer := "command"
	if err == nil {
		syscall.CloseOnExec(Verdict)
		layer, err = enter(args[2], args[3], args[4:])
	}
	_, _ = syscall.Write(Verdict, []byte(layer+": "+err.Error()))
	syscall.Exit(126)
}

// arguments returns the same strings as os.Args, without importing the os package.
func arguments() ([]string, error) {
	text, err := read("/proc/self/cmdline")
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"), nil
}

// enter applies the layers and replaces this process with the command. It returns only on failure.
func enter(encoded, path string, args []string) (layer string, err error) {
	p, err := Decode(encoded)
	if err != nil {
		return "plan", err
	}
	trees, err := p.open()
	if err != nil {
		return "command", err
	}
	if !p.NoMounts {
		if layer, err := p.setUp(trees); err != nil {
			return layer, err
		}
	}
	if err := syscall.Chdir(p.Dir); err != nil {
		return "command", errors.New("the sandbox has its own /tmp, which does not contain " + p.Dir + "; work in a directory inside " + p.Root)
	}
	if err := dropCapabilities(); err != nil {
		return "capabilities", err
	}
	if !p.NoLandlock {
		if layer, err := p.restrictFiles(trees); err != nil {
			return layer, err
		}
	}
	if err := refuse(p.Filter); err != nil {
		return "seccomp", err
	}
	environ := slices.DeleteFunc(syscall.Environ(), func(one string) bool { return strings.HasPrefix(one, Variable+"=") })
	return "command", wrap("start "+path, syscall.Exec(path, args, environ))
}

// setUp sets up the command's user namespace, mounts and network. If a layer fails, setUp returns
// the layer's name.
func (p *Plan) setUp(trees []opened) (layer string, err error) {
	if err := p.identity(); err != nil {
		return "user namespaces", err
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_SLAVE, ""); err != nil {
		return "mounts of its own", wrap("keep mounts to itself", err)
	}
	if err := p.mount(trees); err != nil {
		return "private mounts", err
	}
	if p.Offline {
		if err := loopbackUp(); err != nil {
			return "a network of its own", err
		}
	}
	if p.Gate {
		if err := openGate(); err != nil {
			return "a proxy in its network", err
		}
	}
	if p.Network {
		if err := openDoors(); err != nil {
			return HostsLayer, err
		}
	}
	return "", nil
}

// identity gives the command's user and group the same IDs in its user namespace. The helper writes
// the ID maps, because Marvin is not dumpable (PR_SET_DUMPABLE): the /proc files of Marvin's
// children are accessible only after execve.
func (p *Plan) identity() error {
	if syscall.Getuid() == p.User {
		return nil
	}
	user, group := strconv.Itoa(p.User), strconv.Itoa(p.Group)
	for _, file := range [][2]string{
		{"/proc/self/setgroups", "deny"},
		{"/proc/self/uid_map", user + " " + user + " 1"},
		{"/proc/self/gid_map", group + " " + group + " 1"},
	} {
		if err := write(file[0], file[1]); err != nil {
			return err
		}
	}
	return nil
}

// refuse applies the system call filter to this thread. The filter cannot be removed.
func refuse(filter []Instruction) error {
	if len(filter) == 0 {
		return errors.New("not written for " + runtime.GOARCH)
	}
	if err := noNewPrivileges(); err != nil {
		return err
	}
	return setFilter(filter)
}
