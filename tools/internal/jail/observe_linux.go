package jail

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/disk"
)

// Before the kernel executes a system call of an observed program, Marvin records the file or host
// that the call uses. Only the layers of the jail permit or forbid the call, because the program
// can change the arguments after Marvin has read them.

// observation contains the positions of the arguments that Marvin reads from a call. A position is
// -1 if the call has no such argument.
type observation struct {
	dir, path int // the directory descriptor and the path, as in openat(2)
	flags     int // the flags of open(2) or openat(2)
	how       int // the pointer to the open_how structure of openat2(2)
	address   int // a socket's address
	writes    bool
}

// observed returns the system calls to observe, including the older calls that exist on some
// architectures.
var observed = sync.OnceValue(func() map[int]observation {
	at := func(dir, path int, writes bool) observation {
		return observation{dir: dir, path: path, flags: -1, how: -1, address: -1, writes: writes}
	}
	calls := map[int]observation{
		unix.SYS_OPENAT:    {dir: 0, path: 1, flags: 2, how: -1, address: -1},
		unix.SYS_OPENAT2:   {dir: 0, path: 1, flags: -1, how: 2, address: -1},
		unix.SYS_EXECVE:    at(-1, 0, false),
		unix.SYS_EXECVEAT:  at(0, 1, false),
		unix.SYS_MKDIRAT:   at(0, 1, true),
		unix.SYS_UNLINKAT:  at(0, 1, true),
		unix.SYS_RENAMEAT2: at(2, 3, true),
		unix.SYS_SYMLINKAT: at(1, 2, true),
		unix.SYS_LINKAT:    at(2, 3, true),
		unix.SYS_TRUNCATE:  at(-1, 0, true),
		unix.SYS_CONNECT:   {dir: -1, path: -1, flags: -1, how: -1, address: 1},
		unix.SYS_SENDTO:    {dir: -1, path: -1, flags: -1, how: -1, address: 4},
	}
	for _, number := range observedToo() {
		calls[number] = at(-1, 0, true)
	}
	if openCall >= 0 {
		calls[openCall] = observation{dir: -1, path: 0, flags: 1, how: -1, address: -1}
	}
	return calls
})

// note is called while a system call is blocked. It records the path or address in the arguments.
func (o *observer) note(pid, number int, arguments [6]uint64) {
	call, ok := observed()[number]
	if !ok || o == nil {
		return
	}
	if call.address >= 0 {
		if arguments[call.address] == 0 {
			return
		}
		o.address(pid, arguments[call.address], int(min(arguments[call.address+1], 128)))
		return
	}
	name, ok := textOf(pid, arguments[call.path])
	if !ok {
		o.blind.Store(true)
		return
	}
	writes := call.writes
	switch {
	case call.flags >= 0:
		writes = opensForWriting(arguments[call.flags])
	case call.how >= 0:
		flags, ok := memory(pid, arguments[call.how], 8)
		writes = ok && opensForWriting(binary.NativeEndian.Uint64(flags))
	}
	if !filepath.IsAbs(name) {
		base := "/cwd"
		if call.dir >= 0 && int32(arguments[call.dir]) != unix.AT_FDCWD {
			base = "/fd/" + strconv.Itoa(int(int32(arguments[call.dir])))
		}
		dir, err := os.Readlink("/proc/" + strconv.Itoa(pid) + base)
		if err != nil || !filepath.IsAbs(dir) {
			return // the process has ended, or the descriptor has no path
		}
		name = dir + "/" + name
	}
	o.add(access{path: filepath.Clean(name), writes: writes})
	if number == unix.SYS_EXECVE || number == unix.SYS_EXECVEAT {
		if program := interpreter(name); program != "" {
			o.add(access{path: program})
		}
	}
}

func opensForWriting(flags uint64) bool {
	return flags&unix.O_ACCMODE != unix.O_RDONLY || flags&(unix.O_CREAT|unix.O_TRUNC) != 0
}

// interpreter returns the program that the first line of a script names. The kernel opens this
// program without a system call.
func interpreter(script string) string {
	line, _, _ := bytes.Cut(disk.Beginning(script, 256), []byte("\n"))
	rest, ok := strings.CutPrefix(string(line), "#!")
	if fields := strings.Fields(rest); ok && len(fields) > 0 && filepath.IsAbs(fields[0]) {
		return filepath.Clean(fields[0])
	}
	return ""
}

func (o *observer) address(pid int, at uint64, length int) {
	text, ok := memory(pid, at, length)
	if host, internet := hostOf(text); ok && internet {
		o.add(access{address: netip.AddrPortFrom(host.Addr().Unmap(), host.Port()).String()})
	}
}

// hostOf parses the kernel's binary form of an IPv4 or IPv6 socket address.
func hostOf(text []byte) (netip.AddrPort, bool) {
	if len(text) < 8 {
		return netip.AddrPort{}, false
	}
	port := binary.BigEndian.Uint16(text[2:])
	switch family := binary.NativeEndian.Uint16(text); {
	case family == unix.AF_INET:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(text[4:8])), port), true
	case family == unix.AF_INET6 && len(text) >= 24:
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(text[8:24])), port), true
	}
	return netip.AddrPort{}, false
}

// textOf reads a zero-terminated string from the memory of a process.
func textOf(pid int, at uint64) (string, bool) {
	text, ok := memory(pid, at, unix.PathMax)
	end := bytes.IndexByte(text, 0)
	if !ok || end < 0 {
		return "", false
	}
	return string(text[:end]), true
}

// memory fetches up to length bytes from the address space of a process. It requests each page
// separately, because one missing page would make a larger request fail.
func memory(pid int, at uint64, length int) ([]byte, bool) {
	text := make([]byte, length)
	const page = 4096
	var from []unix.RemoteIovec
	for left := length; left > 0; {
		n := min(left, page-int(at%page))
		from = append(from, unix.RemoteIovec{Base: uintptr(at), Len: n})
		at += uint64(n)
		left -= n
	}
	to := []unix.Iovec{{Base: unsafe.SliceData(text)}}
	to[0].SetLen(length)
	n, err := unix.ProcessVMReadv(pid, to, from, 0)
	return text[:max(n, 0)], err == nil && n > 0
}
