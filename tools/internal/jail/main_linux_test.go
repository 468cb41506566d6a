package jail_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestMain also makes this binary an attacker: a program inside the jail that tries what a shell
// cannot do. It prints ESCAPED on success.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "attack" {
		if err := attacks[os.Args[2]](os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, os.Args[2]+":", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv("HIDDEN") != "" { // as Marvin does
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	}
	os.Exit(m.Run())
}

var attacks = map[string]func([]string) error{
	"ptrace": func([]string) error {
		victim := exec.Command("sleep", "5")
		if err := victim.Start(); err != nil {
			return err
		}
		defer victim.Process.Kill()
		runtime.LockOSThread()
		return escaped(unix.PtraceAttach(victim.Process.Pid))
	},
	"memory": func(args []string) error { // of a process outside
		pid, _ := strconv.Atoi(args[0])
		_, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
		return escaped(err)
	},
	"io_uring": func([]string) error {
		parameters := make([]byte, 120)
		_, _, failed := unix.Syscall(unix.SYS_IO_URING_SETUP, 4, uintptr(unsafe.Pointer(&parameters[0])), 0)
		return escaped(number(failed))
	},
	"swap":   swap,
	"marvin": orphaned,
	"unix": func(args []string) error {
		connection, err := net.Dial("unix", args[0])
		if err == nil {
			connection.Close()
		}
		return escaped(err)
	},
	"raw": func([]string) error {
		for _, one := range [][3]int{
			{unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP}, {unix.AF_PACKET, unix.SOCK_DGRAM, 0}, {unix.AF_ALG, unix.SOCK_SEQPACKET, 0}, {unix.AF_VSOCK, unix.SOCK_STREAM, 0},
		} {
			if _, err := unix.Socket(one[0], one[1], one[2]); err == nil {
				return escaped(nil)
			}
		}
		return errors.New("no raw socket")
	},
	"namespace": func([]string) error {
		child := exec.Command("true")
		child.SysProcAttr = &unix.SysProcAttr{Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWUSER}
		return escaped(child.Run())
	},
	"clone3": func([]string) error {
		arguments := [11]uint64{unix.CLONE_NEWUSER | unix.CLONE_NEWNS, 0, 0, 0, uint64(unix.SIGCHLD)}
		pid, _, failed := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&arguments)), 88, 0)
		if failed == 0 && pid == 0 {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		return escaped(number(failed))
	},
	"terminal": func([]string) error { // type into the terminal of the parent
		master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		index, err := unix.IoctlGetUint32(int(master.Fd()), unix.TIOCGPTN)
		if err != nil {
			return err
		}
		line, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", index), os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			return err
		}
		letter := byte('x')
		_, _, failed := unix.Syscall(unix.SYS_IOCTL, line.Fd(), unix.TIOCSTI, uintptr(unsafe.Pointer(&letter)))
		return escaped(number(failed))
	},
	"control": func(args []string) error { // send a control request to a device
		device, err := os.Open(args[0])
		if err != nil {
			return err
		}
		_, err = unix.IoctlGetInt(int(device.Fd()), unix.RNDGETENTCNT)
		return escaped(err)
	},
	"xattr": func(args []string) error { return escaped(unix.Setxattr(args[0], "user.evil", []byte("x"), 0)) },
	"flags": func(args []string) error { // what chattr does; 0x40 is "do not dump", which needs no rights
		file, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer file.Close()
		flags, err := unix.IoctlGetUint32(int(file.Fd()), unix.FS_IOC_GETFLAGS)
		if err != nil {
			return err
		}
		return escaped(unix.IoctlSetPointerInt(int(file.Fd()), unix.FS_IOC_SETFLAGS, int(flags|0x40)))
	},
	"limit": func(args []string) error { // of a process outside: its files, its time
		pid, _ := strconv.Atoi(args[0])
		var limit unix.Rlimit
		if err := unix.Prlimit(pid, unix.RLIMIT_CORE, nil, &limit); err != nil {
			return err
		}
		return escaped(unix.Prlimit(pid, unix.RLIMIT_CORE, &limit, nil))
	},
	"shared": func(args []string) error { // memory of a process outside
		id, _ := strconv.Atoi(args[0])
		memory, err := unix.SysvShmAttach(id, 0, 0)
		if err == nil {
			memory[0] = 'x'
		}
		return escaped(err)
	},
	"signal": func(args []string) error { // by a descriptor
		pid, _ := strconv.Atoi(args[0])
		process, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			return err
		}
		return escaped(unix.PidfdSendSignal(process, unix.SIGCONT, nil, 0))
	},
	"thread": func(args []string) error {
		pid, _ := strconv.Atoi(args[0])
		return escaped(unix.Tgkill(pid, pid, unix.SIGCONT))
	},
	"calls":   refusals,
	"without": without,
}

func number(failed unix.Errno) error {
	if failed == 0 {
		return nil
	}
	return failed
}

func escaped(err error) error {
	if err == nil {
		fmt.Println("ESCAPED")
	}
	return err
}

// swap exchanges a directory and a link to the outside 100,000 times, or until a write has escaped.
// At the same time, it writes to a file in the directory.
func swap(args []string) error {
	slot, spare, outside := "slot", "spare", args[0]
	os.RemoveAll(slot)
	os.RemoveAll(spare)
	if err := errors.Join(os.Mkdir(slot, 0o755), os.Symlink(outside, spare)); err != nil {
		return err
	}
	var done sync.WaitGroup
	stop := make(chan struct{})
	done.Go(func() {
		for n := range 100_000 {
			if n%500 == 499 && exists(filepath.Join(outside, "swapped")) {
				break
			}
			_ = unix.Renameat2(unix.AT_FDCWD, slot, unix.AT_FDCWD, spare, unix.RENAME_EXCHANGE)
		}
		close(stop)
	})
	for i := 0; ; i++ {
		select {
		case <-stop:
			done.Wait()
			return nil
		default:
			if file, err := os.Create(filepath.Join(slot, "swapped")); err == nil {
				file.Close()
			}
		}
	}
}

// refusals tries every call that the filter refuses, with arguments of zero.
func refusals([]string) error {
	for _, call := range []uintptr{
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PIDFD_GETFD, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN,
		unix.SYS_MOUNT_SETATTR, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN,
		unix.SYS_USERFAULTFD, unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_REBOOT, unix.SYS_SWAPON,
		unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	} {
		if _, _, failed := unix.Syscall6(call, 0, 0, 0, 0, 0, 0); failed != unix.EPERM {
			return fmt.Errorf("call %d: %w", call, failed)
		}
	}
	fmt.Println("ALL REFUSED")
	return nil
}
