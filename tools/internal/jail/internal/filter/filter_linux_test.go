package filter

import (
	"encoding/binary"
	"fmt"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// judge runs filters on the data of a call, as the kernel does.
type judge struct{ vm *bpf.VM }

func newJudge(t *testing.T, filter []unix.SockFilter) judge {
	t.Helper()
	raw := make([]bpf.RawInstruction, len(filter))
	for i, one := range filter {
		raw[i] = bpf.RawInstruction{Op: one.Code, Jt: one.Jt, Jf: one.Jf, K: one.K}
	}
	instructions, ok := bpf.Disassemble(raw)
	if !ok {
		t.Fatalf("it is no program: %v", instructions)
	}
	vm, err := bpf.NewVM(instructions)
	if err != nil {
		t.Fatal(err)
	}
	return judge{vm}
}

// of returns the answer for a call with these arguments.
func (j judge) of(t *testing.T, machine, number uint32, arguments ...uint64) string {
	t.Helper()
	told := make([]byte, 64) // struct seccomp_data, in a packet's byte order
	binary.BigEndian.PutUint32(told[0:], number)
	binary.BigEndian.PutUint32(told[4:], machine)
	for i, argument := range arguments {
		binary.BigEndian.PutUint32(told[16+8*i:], uint32(argument))
		binary.BigEndian.PutUint32(told[20+8*i:], uint32(argument>>32))
	}
	verdict, err := j.vm.Run(told)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]uint32{"allow": allow, "refuse": refuse, "absent": noSuchCall, "ask": ask, "kill": kill} {
		if uint32(verdict) == value {
			return name
		}
	}
	return fmt.Sprintf("%#x", verdict)
}

func TestTheFilterOfCommands(t *testing.T) {
	const own = 1000
	none := uint64(1)<<32 - 1
	for machine, audit := range map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64} {
		for _, noSockets := range []bool{false, true} {
			filter := newJudge(t, Commands(machine, own, noSockets))
			for _, number := range refused {
				if got := filter.of(t, audit, number); got != "refuse" {
					t.Errorf("%s: call %d: %s", machine, number, got)
				}
			}
			socket := func(want string) string {
				if noSockets {
					return "refuse"
				}
				return want
			}
			for _, row := range []struct {
				number    uint32
				arguments []uint64
				want      string
			}{
				{unix.SYS_READ, nil, "allow"},
				{unix.SYS_OPENAT, nil, "allow"},
				{unix.SYS_KILL, []uint64{1}, "allow"},
				{unix.SYS_CLONE3, nil, "absent"},
				{unix.SYS_CLONE, []uint64{unix.CLONE_THREAD | unix.CLONE_VM}, "allow"},
				{unix.SYS_CLONE, []uint64{unix.CLONE_NEWUSER}, "refuse"},
				{unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_NEWCGROUP}, "refuse"},
				{unix.SYS_PRLIMIT64, []uint64{0, 1, 5}, "allow"},
				{unix.SYS_PRLIMIT64, []uint64{7, 1, 0}, "allow"}, // this only reads
				{unix.SYS_PRLIMIT64, []uint64{7, 1, 5}, "refuse"},
				{unix.SYS_PRLIMIT64, []uint64{7, 1, 5 << 32}, "refuse"},
				{unix.SYS_SCHED_SETAFFINITY, []uint64{0}, "allow"},
				{unix.SYS_SCHED_SETAFFINITY, []uint64{own}, "allow"},
				{unix.SYS_SCHED_SETAFFINITY, []uint64{own - 1}, "refuse"},
				{unix.SYS_SCHED_SETSCHEDULER, []uint64{1}, "refuse"},
				{unix.SYS_SCHED_SETPARAM, []uint64{1}, "refuse"},
				{unix.SYS_SCHED_SETATTR, []uint64{1}, "refuse"},
				{unix.SYS_SCHED_SETATTR, []uint64{own + 1}, "allow"},
				{unix.SYS_SETPRIORITY, []uint64{0, 0}, "allow"},
				{unix.SYS_SETPRIORITY, []uint64{0, own}, "allow"},
				{unix.SYS_SETPRIORITY, []uint64{1, own - 1}, "refuse"},
				{unix.SYS_SETPRIORITY, []uint64{2, own}, "refuse"},
				{unix.SYS_SETPRIORITY, []uint64{3, own}, "allow"},
				{unix.SYS_IOPRIO_SET, []uint64{3, 0}, "refuse"},
				{unix.SYS_IOPRIO_SET, []uint64{2, 0}, "allow"},
				{unix.SYS_IOPRIO_SET, []uint64{1, own - 1}, "refuse"},
				{unix.SYS_IOCTL, []uint64{0, unix.TIOCSTI}, "refuse"},
				{unix.SYS_IOCTL, []uint64{0, unix.TIOCLINUX}, "refuse"},
				{unix.SYS_IOCTL, []uint64{unix.TIOCSTI, unix.TCGETS}, "allow"},
				{unix.SYS_SOCKET, []uint64{unix.AF_UNIX, unix.SOCK_RAW}, socket("allow")},
				{unix.SYS_SOCKET, []uint64{unix.AF_NETLINK, unix.SOCK_RAW}, socket("allow")},
				{unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_STREAM | unix.SOCK_CLOEXEC}, socket("allow")},
				{unix.SYS_SOCKET, []uint64{unix.AF_INET6, unix.SOCK_DGRAM}, socket("allow")},
				{unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_RAW}, "refuse"},
				{unix.SYS_SOCKET, []uint64{unix.AF_INET6, unix.SOCK_RAW | unix.SOCK_NONBLOCK}, "refuse"},
				{unix.SYS_SOCKET, []uint64{unix.AF_PACKET, unix.SOCK_DGRAM}, "refuse"},
				{unix.SYS_SOCKET, []uint64{unix.AF_VSOCK, unix.SOCK_STREAM}, "refuse"},
				{unix.SYS_SOCKET, []uint64{0, 0}, "refuse"},
				{unix.SYS_SOCKET, []uint64{none, 0}, "refuse"},
			} {
				if got := filter.of(t, audit, row.number, row.arguments...); got != row.want {
					t.Errorf("%s, no sockets %v: call %d of %d: %s, want %s", machine, noSockets, row.number, row.arguments, got, row.want)
				}
			}
			x32 := map[string]string{"amd64": "kill", "arm64": "allow"}[machine]
			for _, number := range []uint32{0x40000000, 0x40000001} {
				if got := filter.of(t, audit, number); got != x32 {
					t.Errorf("%s: call %#x: %s", machine, number, got)
				}
			}
			if got := filter.of(t, audit, 0x3fffffff); got != "allow" {
				t.Errorf("%s: the last call: %s", machine, got)
			}
			if got := filter.of(t, unix.AUDIT_ARCH_I386, unix.SYS_READ); got != "kill" {
				t.Errorf("%s: a call of another machine: %s", machine, got)
			}
		}
	}
}

func TestTheFilterOfSignals(t *testing.T) {
	const own = 1000
	minus := func(n int32) uint64 { return uint64(uint32(-n)) }
	for seen, calls := range map[string][]uint32{"allow": nil, "ask": {unix.SYS_OPENAT, unix.SYS_CONNECT}} {
		filter := newJudge(t, Notify("amd64", own, calls))
		for to, want := range map[uint64]string{
			0: "allow", minus(1): "allow", 1: "ask", own - 1: "ask", own: "allow", own + 1: "allow", minus(own - 1): "ask", minus(2): "ask", minus(own): "allow", minus(own + 1): "allow",
		} {
			if got := filter.of(t, unix.AUDIT_ARCH_X86_64, unix.SYS_KILL, to); got != want {
				t.Errorf("to %d: %s, want %s", int32(to), got, want)
			}
		}
		for _, number := range []uint32{unix.SYS_OPENAT, unix.SYS_CONNECT} {
			if got := filter.of(t, unix.AUDIT_ARCH_X86_64, number); got != seen {
				t.Errorf("call %d: %s, want %s", number, got, seen)
			}
		}
		if got := filter.of(t, unix.AUDIT_ARCH_X86_64, unix.SYS_READ); got != "allow" {
			t.Errorf("another call: %s", got)
		}
		if got := filter.of(t, unix.AUDIT_ARCH_AARCH64, unix.SYS_KILL, 1); got != "allow" {
			t.Errorf("a call of another machine: %s", got) // the other filter ends it
		}
	}
}

func TestTheFilterOfTheChildless(t *testing.T) {
	for machine, audit := range map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64} {
		filter := newJudge(t, childless(machine))
		fork := map[string]string{"amd64": "refuse", "arm64": "allow"}[machine]
		for _, row := range []struct {
			number   uint32
			argument uint64
			want     string
		}{
			{unix.SYS_READ, 0, "allow"},
			{57, 0, fork},
			{58, 0, fork},
			{unix.SYS_CLONE3, 0, "absent"},
			{unix.SYS_CLONE, unix.CLONE_THREAD, "allow"},
			{unix.SYS_CLONE, ownChild, "allow"},
			{unix.SYS_CLONE, unix.CLONE_VFORK | unix.CLONE_VM, "refuse"},
			{0x40000000, 0, map[string]string{"amd64": "kill", "arm64": "allow"}[machine]},
			{0x3fffffff, 0, "allow"},
		} {
			if got := filter.of(t, audit, row.number, row.argument); got != row.want {
				t.Errorf("%s: call %d of %#x: %s, want %s", machine, row.number, row.argument, got, row.want)
			}
		}
		if got := filter.of(t, unix.AUDIT_ARCH_I386, unix.SYS_READ); got != "kill" {
			t.Errorf("%s: a call of another machine: %s", machine, got)
		}
	}
	if filter := childless("riscv64"); filter != nil {
		t.Errorf("a machine whose calls are not known has a filter of %d", len(filter))
	}
}
