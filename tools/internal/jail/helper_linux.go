package jail

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/filter"
)

// helper is this very program, also after its file was replaced by an update.
const helper = "/proc/self/exe"

// available says that there are jails; whether each layer is there, a start shows.
func available() error { return nil }

// verdict is where the parent listens. It closes when the command begins.
const verdict = 3

// namespaces says how to start the helper: with its own mounts and shared memory (that of System V
// checks only the user), and without a network if wanted. Root may ask for them directly; other
// users need a user namespace, in which names and rights stay theirs.
func namespaces(offline bool, lacks lack) (func(*syscall.SysProcAttr), error) {
	if lacks&noMounts != 0 {
		return func(*syscall.SysProcAttr) {}, nil
	}
	flags, capabilities := uintptr(syscall.CLONE_NEWNS|syscall.CLONE_NEWIPC), []uintptr{unix.CAP_SYS_ADMIN}
	if offline {
		flags |= syscall.CLONE_NEWNET
		capabilities = append(capabilities, unix.CAP_NET_ADMIN, unix.CAP_NET_BIND_SERVICE)
	}
	if os.Geteuid() == 0 && hasCapability(unix.CAP_SYS_ADMIN) {
		return func(attributes *syscall.SysProcAttr) { attributes.Cloneflags |= flags }, nil
	}
	return func(attributes *syscall.SysProcAttr) {
		attributes.Cloneflags |= flags | syscall.CLONE_NEWUSER
		attributes.AmbientCaps = capabilities // they last until the mounts are made
	}, nil
}

// identity is who the command is in a user namespace: who it was outside. The helper
// says so itself, because Marvin hides its memory (PR_SET_DUMPABLE), and with that its
// children's files in /proc, until they are another program.
func (p *plan) identity() error {
	if os.Getuid() == p.User {
		return nil
	}
	for _, file := range [][2]string{
		{"/proc/self/setgroups", "deny"},
		{"/proc/self/uid_map", fmt.Sprintf("%d %d 1", p.User, p.User)},
		{"/proc/self/gid_map", fmt.Sprintf("%d %d 1", p.Group, p.Group)},
	} {
		if err := os.WriteFile(file[0], []byte(file[1]), 0); err != nil {
			return err
		}
	}
	return nil
}

// init becomes the command if this process was started to. It runs on the main
// thread, which execve keeps: what is put on this thread is what the command has.
func init() {
	if len(os.Args) < 5 || os.Args[1] != word {
		return
	}
	unix.CloseOnExec(verdict)
	layer, err := enter(os.Args[2], os.Args[3], os.Args[4:])
	_, _ = unix.Write(verdict, fmt.Appendf(nil, "%s: %v", layer, err))
	os.Exit(126)
}

// enter puts on the layers and becomes the command. It returns only if one fails.
func enter(encoded, path string, args []string) (layer string, err error) {
	var p plan
	if err := json.Unmarshal([]byte(encoded), &p); err != nil {
		return "plan", err
	}
	trees, err := p.open()
	if err != nil {
		return "command", err
	}
	if p.Lacks&noMounts == 0 {
		if layer, err := p.around(trees); err != nil {
			return layer, err
		}
	}
	if err := syscall.Chdir(p.Dir); err != nil {
		return "command", fmt.Errorf("the sandbox has a /tmp of its own, in which %s does not exist; work in a directory below %s", p.Dir, p.Root)
	}
	if err := dropCapabilities(); err != nil {
		return "capabilities", err
	}
	if p.Lacks&noLandlock == 0 {
		if layer, err := p.restrictFiles(trees); err != nil {
			return layer, err
		}
	}
	if err := filter.Refuse(p.Offline && p.Lacks&noMounts != 0); err != nil {
		return "seccomp", err
	}
	return "command", fmt.Errorf("start %s: %w", path, syscall.Exec(path, args, os.Environ()))
}

// around arranges what the command sees of the system.
func (p *plan) around(trees []opened) (layer string, err error) {
	if err := p.identity(); err != nil {
		return "user namespaces", err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return "mounts of its own", fmt.Errorf("keep mounts to itself: %w", err)
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
			return hostsLayer, err
		}
	}
	return "", nil
}
