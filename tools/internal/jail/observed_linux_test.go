package jail

import (
	"encoding/binary"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"marvin/persistence/disktest"
)

// at returns the address of bytes in this process.
func at(text []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(text)))) }

// Observed calls are read from the memory of the calling process, which is this process here.
func TestObservedSystemCall(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script")
	if err := disktest.WriteProgram(script, []byte("#! /usr/bin/../bin/env  sh\nx\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Close() }()
	cwd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	absolute, relative, program := []byte("/a/../b\x00"), []byte("x\x00"), append([]byte(script), 0)
	how := make([]byte, 24)
	binary.NativeEndian.PutUint64(how, unix.O_WRONLY)
	here, below := uint64(uint32(0xFFFFFF9C)), uint64(open.Fd()) // AT_FDCWD
	four, six, other := make([]byte, 16), make([]byte, 28), make([]byte, 16)
	binary.NativeEndian.PutUint16(four, unix.AF_INET)
	copy(four[2:], []byte{1, 187, 10, 0, 0, 1})
	binary.NativeEndian.PutUint16(six, unix.AF_INET6)
	copy(six[2:], []byte{0, 80})
	copy(six[8:], net.ParseIP("2001:db8::1"))
	binary.NativeEndian.PutUint16(other, unix.AF_UNIX)
	type arguments = [6]uint64
	for _, row := range []struct {
		what   string
		number int
		given  arguments
		want   string
	}{
		{"a file that is read", unix.SYS_OPENAT, arguments{here, at(absolute), unix.O_RDONLY}, "r /b"},
		{"one that is written", unix.SYS_OPENAT, arguments{here, at(absolute), unix.O_RDWR}, "w /b"},
		{"one that is made", unix.SYS_OPENAT, arguments{here, at(absolute), unix.O_CREAT}, "w /b"},
		{"one that is emptied", unix.SYS_OPENAT, arguments{here, at(absolute), unix.O_TRUNC}, "w /b"},
		{"one below where it is", unix.SYS_OPENAT, arguments{here, at(relative), 0}, "r " + cwd + "/x"},
		{"one below what is open", unix.SYS_OPENAT, arguments{below, at(relative), 0}, "r " + dir + "/x"},
		{"one below what is not", unix.SYS_OPENAT, arguments{9999, at(relative), 0}, ""},
		{"by a structure", unix.SYS_OPENAT2, arguments{here, at(absolute), at(how), 24}, "w /b"},
		{"a directory", unix.SYS_MKDIRAT, arguments{below, at(relative)}, "w " + dir + "/x"},
		{"a name that goes", unix.SYS_UNLINKAT, arguments{below, at(relative)}, "w " + dir + "/x"},
		{"a new name", unix.SYS_RENAMEAT2, arguments{0, 0, below, at(relative)}, "w " + dir + "/x"},
		{"a link", unix.SYS_SYMLINKAT, arguments{0, below, at(relative)}, "w " + dir + "/x"},
		{"another name", unix.SYS_LINKAT, arguments{0, 0, below, at(relative)}, "w " + dir + "/x"},
		{"a length", unix.SYS_TRUNCATE, arguments{at(absolute)}, "w /b"},
		{"a program", unix.SYS_EXECVE, arguments{at(absolute)}, "r /b"},
		{"a script", unix.SYS_EXECVE, arguments{at(program)}, "r " + script + " r /usr/bin/env"},
		{"a script below what is open", unix.SYS_EXECVEAT, arguments{below, at([]byte("script\x00"))}, "r " + script + " r /usr/bin/env"},
		{"a host", unix.SYS_CONNECT, arguments{3, at(four), 16}, "10.0.0.1:443"},
		{"a host of the sixth version", unix.SYS_CONNECT, arguments{3, at(six), 28}, "[2001:db8::1]:80"},
		{"what is cut off", unix.SYS_CONNECT, arguments{3, at(six), 23}, ""},
		{"what is shorter", unix.SYS_CONNECT, arguments{3, at(four), 7}, ""},
		{"a socket of files", unix.SYS_CONNECT, arguments{3, at(other), 16}, ""},
		{"a packet", unix.SYS_SENDTO, arguments{3, 0, 0, 0, at(four), 16}, "10.0.0.1:443"},
		{"a packet to nobody else", unix.SYS_SENDTO, arguments{3, 0, 0, 0, 0, 0}, ""},
		{"another call", unix.SYS_READ, arguments{at(absolute)}, ""},
		{"what cannot be read", unix.SYS_TRUNCATE, arguments{8}, "blind"},
	} {
		o := &observer{seen: map[access]bool{}}
		o.note(os.Getpid(), row.number, row.given)
		runtime.KeepAlive(absolute)
		var got []string
		for _, one := range o.takeNew() {
			text := one.address
			if one.path != "" {
				text = map[bool]string{true: "w ", false: "r "}[one.writes] + one.path
			}
			got = append(got, text)
		}
		if o.blind.Load() {
			got = append(got, "blind")
		}
		if all := strings.Join(got, " "); all != row.want {
			t.Errorf("%s: %s, want %s", row.what, all, row.want)
		}
	}
	(*observer)(nil).note(os.Getpid(), unix.SYS_TRUNCATE, arguments{at(absolute)})
	if calls := observed(); openCall >= 0 && calls[openCall].path != 0 || calls[unix.SYS_TRUNCATE].dir != -1 {
		t.Errorf("%+v", calls)
	}
	for line, want := range map[string]string{"#!/bin/sh": "/bin/sh", "#! /bin/sh -e\nx": "/bin/sh", "#!sh": "", "#!": "", "/bin/sh": "", "": "", "#!/" + strings.Repeat("x", 300): "/" + strings.Repeat("x", 253)} {
		if err := disktest.WriteProgram(script, []byte(line), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := interpreter(script); got != want {
			t.Errorf("%.30q is run by %.60s", line, got)
		}
	}
}

// Memory is read up to the first missing page.
func TestMemoryIsReadByPages(t *testing.T) {
	const page = 4096
	pages, err := unix.Mmap(-1, 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(pages) }()
	if err := unix.Mprotect(pages[2*page:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	copy(pages[page-2:], "four\x00")
	copy(pages[2*page-5:], "last\x00")
	copy(pages[2*page-9:], "none")
	for offset, want := range map[int]string{page - 2: "four", 2*page - 5: "last", 2*page - 9: "nonelast"} {
		if got, ok := textOf(os.Getpid(), at(pages[offset:])); got != want || !ok {
			t.Errorf("at %d: %q, %v", offset, got, ok)
		}
	}
	pages[2*page-1] = 'x'
	if got, ok := textOf(os.Getpid(), at(pages[2*page-5:])); ok {
		t.Errorf("a text without an end: %q", got)
	}
	if got, ok := memory(os.Getpid(), at(pages[page-1:]), 4); string(got) != string(pages[page-1:page+3]) || !ok {
		t.Errorf("%q, %v", got, ok)
	}
	if _, ok := memory(os.Getpid(), at(pages[2*page:]), 4); ok {
		t.Error("what no one may read is read")
	}
}

func TestWhomSignalsReach(t *testing.T) {
	sleeper := func(environ ...string) *exec.Cmd {
		command := exec.Command("sleep", "60")
		command.Env = environ
		command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
		return command
	}
	r := &errands{temp: "/private/of/one"}
	ours, group, others := sleeper("A=1", "TMPDIR=/private/of/one", "B=2"), sleeper("A=1", "TMPDIR=/private/of/one", "B=2"), sleeper("A=1", "TMPDIR=/private/of/others", "B=2")
	if _, err := os.ReadFile("/proc/" + strconv.Itoa(ours.Process.Pid) + "/environ"); err != nil {
		t.Skip("what a process was started with cannot be read here:", err)
	}
	for _, row := range []struct {
		what string
		to   int
		want unix.Errno
	}{
		{"another's", others.Process.Pid, unix.EPERM},
		{"a group of others", -others.Process.Pid, unix.EPERM},
		{"nobody", 1 << 22, unix.ESRCH},
		{"a group of nobody", -(1 << 22), unix.ESRCH},
		{"ours, asked whether it is there", ours.Process.Pid, 0},
	} {
		if got := r.send(row.to, 0); got != row.want && !(row.what == "nobody" && got == unix.EINVAL) {
			t.Errorf("%s: %v, want %v", row.what, got, row.want)
		}
	}
	for _, one := range []struct {
		command *exec.Cmd
		to      int
	}{{ours, ours.Process.Pid}, {group, -group.Process.Pid}} {
		if got := r.send(one.to, unix.SIGTERM); got != 0 {
			t.Errorf("to %d: %v", one.to, got)
		}
		var ended *exec.ExitError
		if err := one.command.Wait(); !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
			t.Errorf("to %d: it ended with %v", one.to, err)
		}
	}
	for err, want := range map[error]unix.Errno{nil: 0, unix.ESRCH: unix.ESRCH, os.NewSyscallError("x", unix.EINVAL): unix.EINVAL, errors.New("x"): unix.EPERM} {
		if got := errno(err); got != want {
			t.Errorf("%v is %v", err, got)
		}
	}
}
