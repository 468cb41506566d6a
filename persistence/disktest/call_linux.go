//go:build amd64 || arm64

package disktest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Kind is the operation that a [Call] performs.
type Kind string

// The kinds of calls.
const (
	Open     Kind = "open"
	Read     Kind = "read"
	Write    Kind = "write"
	Sync     Kind = "sync"
	Truncate Kind = "truncate"
	Chmod    Kind = "chmod"
	Mkdir    Kind = "mkdir"
	Remove   Kind = "remove"
	Rename   Kind = "rename"
	Link     Kind = "link"
	Lock     Kind = "lock"
	Copy     Kind = "copy" // copy_file_range
)

// Call is a system call before the kernel runs it. Paths are absolute.
type Call struct {
	Kind   Kind
	Path   string
	To     string // the second name, for Rename, Link and Copy
	Flags  int    // the flags, for Open
	Data   []byte // the bytes to write, for Write
	Offset int64  // the offset, for Write; -1 if the write appends to the file
	Size   int64  // the new size, for Truncate
	output bool
}

// ToStdout reports whether the call writes to standard output.
func (c Call) ToStdout() bool { return c.Kind == Write && c.output }

// ChangesDisk reports whether the call can change the disk.
func (c Call) ChangesDisk() bool {
	switch c.Kind {
	case Read, Lock, Sync:
		return false
	case Open:
		return c.Flags&(unix.O_CREAT|unix.O_TRUNC) != 0
	}
	return true
}

func (c Call) String() string { return strings.TrimSpace(fmt.Sprint(c.Kind, " ", c.Path, " ", c.To)) }

func (c Call) below(dir string) bool {
	return strings.HasPrefix(c.Path, dir+"/") || strings.HasPrefix(c.To, dir+"/") || c.Path == dir
}

// notification is the kernel's struct seccomp_notif.
type notification struct {
	id         uint64
	pid, flags uint32
	number     int32
	arch       uint32
	at         uint64
	args       [6]uint64
}

// call decodes the system call. It reads paths and data from the stopped process.
func (n notification) call() (call Call, ok bool) {
	a := n.args
	switch n.number {
	case unix.SYS_OPENAT:
		call = Call{Kind: Open, Path: n.path(a[0], a[1]), Flags: int(a[2])}
	case unix.SYS_READ, unix.SYS_PREAD64:
		call = Call{Kind: Read, Path: n.file(a[0])}
	case unix.SYS_WRITE, unix.SYS_PWRITE64:
		call = Call{Kind: Write, Path: n.file(a[0]), output: a[0] == 1}
		if call.output || filepath.IsAbs(call.Path) {
			call.Data, call.Offset = n.memory(a[1], a[2]), int64(a[3])
			if n.number == unix.SYS_WRITE {
				call.Offset = n.position(a[0])
			}
		}
	case unix.SYS_FSYNC, unix.SYS_FDATASYNC:
		call = Call{Kind: Sync, Path: n.file(a[0])}
	case unix.SYS_FTRUNCATE:
		call = Call{Kind: Truncate, Path: n.file(a[0]), Size: int64(a[1])}
	case unix.SYS_TRUNCATE:
		call = Call{Kind: Truncate, Path: n.path(atWorkingDir, a[0]), Size: int64(a[1])}
	case unix.SYS_FCHMOD:
		call = Call{Kind: Chmod, Path: n.file(a[0])}
	case unix.SYS_FCHMODAT:
		call = Call{Kind: Chmod, Path: n.path(a[0], a[1])}
	case unix.SYS_MKDIRAT:
		call = Call{Kind: Mkdir, Path: n.path(a[0], a[1])}
	case unix.SYS_UNLINKAT:
		call = Call{Kind: Remove, Path: n.path(a[0], a[1])}
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2:
		call = Call{Kind: Rename, Path: n.path(a[0], a[1]), To: n.path(a[2], a[3])}
	case unix.SYS_LINKAT:
		call = Call{Kind: Link, Path: n.path(a[0], a[1]), To: n.path(a[2], a[3])}
	case unix.SYS_FLOCK:
		if a[1] == unix.LOCK_UN { // unlocking never fails
			return Call{}, false
		}
		call = Call{Kind: Lock, Path: n.file(a[0])}
	case unix.SYS_COPY_FILE_RANGE:
		call = Call{Kind: Copy, Path: n.file(a[0]), To: n.file(a[2])}
	default:
		return Call{}, false
	}
	return call, true
}

// file returns what a file descriptor refers to: a path, or a name such as pipe:[7].
func (n notification) file(fd uint64) string {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", n.pid, int32(fd)))
	return path
}

// atWorkingDir is AT_FDCWD as the value of a register.
const atWorkingDir = ^uint64(-unix.AT_FDCWD - 1)

func (n notification) path(dir, name uint64) string {
	var text strings.Builder
	// Read one page at a time, because the next page might be unmapped.
	for at := name; text.Len() < unix.PathMax; {
		rest := 4096 - at%4096
		chunk := n.memory(at, rest)
		before, _, ended := strings.Cut(string(chunk), "\x00")
		text.WriteString(before)
		if ended || len(chunk) == 0 {
			break
		}
		at += rest
	}
	path := text.String()
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	from := n.file(dir)
	if int32(dir) == unix.AT_FDCWD {
		from, _ = os.Readlink(fmt.Sprintf("/proc/%d/cwd", n.pid))
	}
	return filepath.Join(from, path)
}

func (n notification) memory(at, size uint64) []byte {
	if size == 0 {
		return nil
	}
	data := make([]byte, size)
	local := unix.Iovec{Base: &data[0]}
	local.SetLen(len(data))
	got, err := unix.ProcessVMReadv(int(n.pid), []unix.Iovec{local}, []unix.RemoteIovec{{Base: uintptr(at), Len: len(data)}}, 0)
	if err != nil {
		return nil
	}
	return data[:got]
}

// position returns the current offset in a file, or -1 if writes append to the file.
func (n notification) position(fd uint64) int64 {
	info, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", n.pid, int32(fd)))
	if err != nil {
		return 0
	}
	var position, flags int64
	_, _ = fmt.Sscanf(string(info), "pos:\t%d\nflags:\t%o", &position, &flags)
	if flags&unix.O_APPEND != 0 {
		return -1
	}
	return position
}
