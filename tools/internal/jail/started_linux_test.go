package jail

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/helper"
)

// entering returns an entry whose helper writes said and exits.
func entering(t *testing.T, k *Keeper, lacks lack, said string) *Entry {
	t.Helper()
	ends, child, err := newVerdict()
	if err != nil {
		t.Fatal(err)
	}
	if said != "" {
		if _, err := unix.Write(child, []byte(said)); err != nil {
			t.Fatal(err)
		}
	}
	return &Entry{jail: &Jail{keeper: k, watch: k.newWatch()}, lacks: lacks, verdict: os.NewFile(uintptr(ends), "verdict"), File: os.NewFile(uintptr(child), "child")}
}

func TestHelperMessages(t *testing.T) {
	self := &os.Process{Pid: os.Getpid()}
	for _, row := range []struct {
		what, said string
		start      error
		lacks      lack
		want       error // nil for other errors
		says       string
		left       lack
		proven     bool
	}{
		{"nothing", "", nil, 0, nil, "", 0, true},
		{"a command that cannot be started", "command: start /x: not there", nil, 0, nil, "start /x: not there", 0, false},
		{"no namespace of users", "user namespaces: no", nil, 0, ErrSmaller, "user namespaces: no", noMounts, false},
		{"no mounts", "mounts of its own: no", nil, 0, ErrSmaller, "mounts of its own: no", noMounts, false},
		{"no Landlock", "Landlock: no", nil, 0, ErrSmaller, "Landlock: no", noLandlock, false},
		{"nothing left", "Landlock: no", nil, noMounts, ErrMissing, "Landlock: no", 0, false},
		{"rules that are refused", "rules of Landlock: no", nil, 0, ErrMissing, "rules of Landlock: no", 0, false},
		{"no filter", "seccomp: not written for this: at all", nil, 0, ErrMissing, "seccomp: not written for this: at all", 0, false},
		{"nonsense", "nonsense", nil, 0, nil, "the sandbox did not start: nonsense", 0, false},
		{"no layer", ": no", nil, 0, nil, "the sandbox did not start: : no", 0, false},
		{"a start that is refused", "", syscall.EPERM, 0, ErrSmaller, "mount namespaces: operation not permitted", noMounts, false},
		{"a start that no system refuses", "", syscall.ENOMEM, 0, ErrMissing, "mount namespaces: cannot allocate memory", 0, false},
	} {
		k := NewKeeper(Config{})
		entry := entering(t, k, row.lacks, row.said)
		err := entry.AwaitStart(self, row.start)
		if (err == nil) != (row.says == "") || err != nil && !strings.HasSuffix(err.Error(), row.says) {
			t.Errorf("%s: %v, want %s", row.what, err, row.says)
		}
		for _, kind := range []error{ErrSmaller, ErrMissing} {
			if errors.Is(err, kind) != (kind == row.want) {
				t.Errorf("%s: %v is %v: %v", row.what, err, kind, errors.Is(err, kind))
			}
		}
		if lack(k.lacks.Load()) != row.left || k.proven.Load() != row.proven {
			t.Errorf("%s: it lacks %d, proven %v", row.what, k.lacks.Load(), k.proven.Load())
		}
		if _, err := entry.File.Stat(); err == nil {
			t.Errorf("%s: the child's end is open", row.what)
		}
		if _, err := entry.verdict.Stat(); err == nil && row.start == nil {
			t.Errorf("%s: Marvin's end is open", row.what)
		}
	}
	broken := entering(t, NewKeeper(Config{}), 0, "")
	if err := broken.verdict.Close(); err != nil {
		t.Fatal(err)
	}
	if err := broken.AwaitStart(self, nil); err == nil || !strings.HasPrefix(err.Error(), "wait for the sandbox: ") {
		t.Errorf("where nothing can be heard: %v", err)
	}
	for number, want := range map[syscall.Errno]bool{syscall.EPERM: true, syscall.EACCES: true, syscall.EINVAL: true, syscall.ENOSPC: true, syscall.ENOSYS: true, syscall.EUSERS: true, syscall.ENOMEM: false, syscall.EAGAIN: false, syscall.ENOENT: false} {
		if refusesNamespaces(fmt.Errorf("start: %w", number)) != want {
			t.Errorf("%v: a system without namespaces: %v", number, !want)
		}
	}
}

// The helper passes the proxy's socket, and it is given to the program's gate.
func TestTheProxyOfAProgramIsHandedOver(t *testing.T) {
	for _, taken := range []bool{true, false} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		file, err := listener.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		entry := entering(t, NewKeeper(Config{}), 0, "")
		var given net.Listener
		if taken {
			entry.jail.gate = func(listener net.Listener) { given = listener }
		}
		if err := unix.Sendmsg(int(entry.File.Fd()), []byte(helper.GateWord), unix.UnixRights(int(file.Fd())), nil, 0); err != nil {
			t.Fatal(err)
		}
		address := listener.Addr().String()
		_, _ = file.Close(), listener.Close()
		if err := entry.AwaitStart(&os.Process{Pid: os.Getpid()}, nil); err != nil {
			t.Fatal(err)
		}
		if taken && (given == nil || given.Addr().String() != address) {
			t.Errorf("it was given %v", given)
		}
		if given != nil {
			_ = given.Close()
		}
		if connection, err := net.Dial("tcp", address); err == nil {
			_ = connection.Close()
			t.Errorf("taken %v: someone listens still", taken)
		}
	}
	entry := entering(t, NewKeeper(Config{}), 0, "")
	directory, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = directory.Close() }()
	if err := unix.Sendmsg(int(entry.File.Fd()), []byte(helper.GateWord), unix.UnixRights(int(directory.Fd())), nil, 0); err != nil {
		t.Fatal(err)
	}
	if err := entry.AwaitStart(&os.Process{Pid: os.Getpid()}, nil); err == nil || !strings.HasPrefix(err.Error(), "receive the files opened by the helper: listen on the program's socket: ") {
		t.Errorf("what is no listener: %v", err)
	}
	for rights, want := range map[string]int{"": -1} {
		if file, err := handed([]byte(rights)); file != want || err != nil {
			t.Errorf("%q hands over %d, %v", rights, file, err)
		}
	}
	if _, err := handed(make([]byte, unix.CmsgSpace(4))); err == nil {
		t.Error("half a message hands something over")
	}
	if file, err := handed(unix.UnixRights(0, 1)); file != -1 || err != nil {
		t.Errorf("two at once: %d, %v", file, err)
	}
}

func TestSandboxEntryErrors(t *testing.T) {
	k, home := scene{files: caches + "project/own/tokens=x", state: "project/own"}.keeperOf(t)
	j, err := newJail(k, filepath.Join(home, "project"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Enter("/bin/true", []string{"true"}, filepath.Join(home, "none"), nil); err == nil || !strings.HasPrefix(err.Error(), "the directory of the command: ") {
		t.Errorf("a directory that is not there: %v", err)
	}
	k.lacks.Store(uint32(noMounts))
	want := ErrPlace.Error() + ": " + j.plan.Root + " contains Marvin's own files, and this system does not allow the mounts that would protect them; start Marvin in a project, or with --sandbox off"
	if _, err := j.Enter("/bin/true", []string{"true"}, home, nil); !errors.Is(err, ErrPlace) || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	k.lacks.Store(0)
	shown := []string{filepath.Join(home, "project", "own"), "relative", filepath.Join(home, "none"), filepath.Join(home, "private") + "/"}
	entry, err := j.Enter("/bin/true", []string{"true", "x"}, filepath.Join(home, "project"), shown)
	if err != nil {
		t.Fatal(err)
	}
	entry.Leave(false)
	_, _ = entry.verdict.Close(), entry.File.Close()
	told, err := helper.Decode(entry.Args[2])
	if err != nil || entry.Path != program || entry.Args[0] != "marvin" || entry.Args[1] != helper.Word || strings.Join(entry.Args[3:], " ") != "/bin/true true x" || entry.Gone() {
		t.Errorf("%s %q", entry.Path, entry.Args)
	}
	if want := []string{shown[0], filepath.Clean(shown[3])}; !slices.Equal(told.Show, want) || told.Dir != filepath.Join(home, "project") {
		t.Errorf("it shows %q, want %q, in %s", told.Show, want, told.Dir)
	}
}
