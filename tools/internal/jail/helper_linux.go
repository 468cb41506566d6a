package jail

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"marvin/messages/lists"
	"marvin/tools/internal/jail/internal/filter"
	"marvin/tools/internal/jail/internal/helper"
)

// program is the path of the running program. It is valid even after an update has replaced the
// program's file.
const program = "/proc/self/exe"

// available always succeeds on Linux. Missing layers are detected when the first command starts.
func available() error { return nil }

// namespaces returns a function that sets the namespaces of the helper process. The IPC namespace
// is needed because any process of a user can open that user's System V shared memory. Unless
// Marvin is root with CAP_SYS_ADMIN, the function adds a user namespace, which keeps the user and
// group IDs.
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
		attributes.AmbientCaps = capabilities // the helper drops them after its setup
	}, nil
}

func hasCapability(capability int) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return false
	}
	return have[capability/32].Effective>>(capability%32)&1 == 1
}

// addFilters adds the system call filters to a plan. If observe is true, Marvin is notified of the
// system calls in [observed].
func addFilters(p *plan, observe bool) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return
	}
	p.Filter = instructions(filter.Commands(runtime.GOARCH, helper.OwnProcess, p.Offline && p.NoMounts))
	var calls []uint32
	if observe {
		for number := range observed() {
			calls = append(calls, uint32(number))
		}
	}
	if p.Network {
		calls = append(calls, unix.SYS_CONNECT, unix.SYS_LISTEN)
	}
	p.Handing = instructions(filter.Notify(runtime.GOARCH, helper.OwnProcess, calls))
}

func instructions(filter []unix.SockFilter) []helper.Instruction {
	return lists.Map(filter, func(one unix.SockFilter) helper.Instruction { return helper.Instruction(one) })
}
