package helper

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Every package that is initialized before this one makes each command slower.
func TestTheHelperStartsBeforeOtherPackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		if slices.Contains([]string{"os", "fmt", "reflect", "time", "encoding/binary"}, name) || strings.Contains(name, ".") {
			t.Errorf("it needs %s", name)
		}
	}
}

func TestAPlanCrosses(t *testing.T) {
	want := Plan{
		Root: "/a:b\nc", Write: []string{"", "7:x", "é"}, Show: []string{"/s"}, Offline: true, NoLandlock: true, User: 1000, Group: -1,
		Filter: []Instruction{{Code: 0x15, Jt: 255, Jf: 1, K: 1<<32 - 1}, {K: OwnProcess}}, Handing: []Instruction{{Code: 6}},
	}
	encoded := want.Arguments("/bin/true", nil)[2]
	if got, err := Decode(encoded); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for end := range len(encoded) {
		if _, err := Decode(encoded[:end]); err == nil {
			t.Errorf("%q is a plan", encoded[:end])
		}
	}
	empty := Plan{}
	for _, length := range []string{"1099511627776", "-1"} { // of the first list, after five empty texts
		plan := "0:0:0:0:0:" + strconv.Itoa(len(length)) + ":" + length + empty.encode()[len("0:0:0:0:0:1:0"):]
		if _, err := Decode(plan); err == nil {
			t.Errorf("a list of %s entries is read", length)
		}
	}
	if _, err := Decode(encoded + "x"); err == nil {
		t.Error("a plan with a rest is read")
	}
}

func TestTheNumbersAreTheKernels(t *testing.T) {
	const rights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	for i, pair := range [][2]int{
		{sysOpenTree, unix.SYS_OPEN_TREE},
		{sysMoveMount, unix.SYS_MOVE_MOUNT},
		{sysOpenat2, unix.SYS_OPENAT2},
		{sysMountSetattr, unix.SYS_MOUNT_SETATTR},
		{sysRuleset, unix.SYS_LANDLOCK_CREATE_RULESET},
		{sysAddRule, unix.SYS_LANDLOCK_ADD_RULE},
		{sysRestrictSelf, unix.SYS_LANDLOCK_RESTRICT_SELF},
		{sysSeccomp, unix.SYS_SECCOMP},
		{oPath, unix.O_PATH},
		{writable, unix.W_OK},
		{resolveNoSymlinks, unix.RESOLVE_NO_SYMLINKS},
		{atWorkingDir, unix.AT_FDCWD},
		{atSymlinkNoFollow, unix.AT_SYMLINK_NOFOLLOW},
		{atEmptyPath, unix.AT_EMPTY_PATH},
		{atRecursive, unix.AT_RECURSIVE},
		{cloneTree, unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC},
		{moveFromEmptyPath, unix.MOVE_MOUNT_F_EMPTY_PATH},
		{moveToEmptyPath, unix.MOVE_MOUNT_T_EMPTY_PATH},
		{attrReadOnly, unix.MOUNT_ATTR_RDONLY},
		{attrNoDevices, unix.MOUNT_ATTR_NODEV},
		{prSetSeccomp, unix.PR_SET_SECCOMP},
		{prDropBounding, unix.PR_CAPBSET_DROP},
		{prNoNewPrivs, unix.PR_SET_NO_NEW_PRIVS},
		{prAmbient, unix.PR_CAP_AMBIENT},
		{ambientClearAll, unix.PR_CAP_AMBIENT_CLEAR_ALL},
		{modeFilter, unix.SECCOMP_MODE_FILTER},
		{setModeFilter, unix.SECCOMP_SET_MODE_FILTER},
		{newListener, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER},
		{waitKillable, unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV},
		{capabilityVersion, unix.LINUX_CAPABILITY_VERSION_3},
		{scopeAbstractSockets, unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET},
		{scopeSignals, unix.LANDLOCK_SCOPE_SIGNAL},
		{execute | overwrite | readFile | readDir, rights},
		{control, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
		{writeTree, unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
			unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_REFER},
		{makeDevice, unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK},
		{kept, 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID | 1<<unix.CAP_KILL | 1<<unix.CAP_SETGID | 1<<unix.CAP_SETUID | 1<<unix.CAP_SETPCAP | 1<<unix.CAP_NET_BIND_SERVICE | 1<<unix.CAP_SETFCAP},
	} {
		if pair[0] != pair[1] {
			t.Errorf("number %d is %#x, want %#x", i, pair[0], pair[1])
		}
	}
}

func TestReplacedPathIsNotGranted(t *testing.T) {
	home := t.TempDir()
	in := func(name string) string { return filepath.Join(home, name) }
	err := errors.Join(os.MkdirAll(in("project/a"), 0o700), os.MkdirAll(in("private/tmp"), 0o700), os.WriteFile(in("b"), []byte("x"), 0o600), os.Symlink(in("b"), in("link")))
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{Root: in("project"), Temp: in("private/tmp"), Write: []string{in("project"), in("none"), in("link"), in("b")}}
	trees, err := p.open()
	var paths []string
	for _, one := range trees {
		paths = append(paths, strings.TrimPrefix(one.path, home+"/"))
		var info unix.Stat_t
		if err := errors.Join(unix.Fstat(one.file, &info), unix.Close(one.file)); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Join(paths, " "); err != nil || got != "private/tmp project b" {
		t.Errorf("%s, %v", got, err)
	}
	p.Root, p.Write = in("link"), []string{in("link")}
	if _, err := p.open(); err == nil || err.Error() != in("link")+" has been replaced by a symbolic link since the conversation began; start Marvin in the directory that the link points to" {
		t.Errorf("%v", err)
	}
	p.Write = []string{in("b/x")}
	if _, err := p.open(); err == nil || err.Error() != "open "+in("b/x")+": not a directory" {
		t.Errorf("%v", err)
	}
	devices, err := openDevices()
	if err != nil || len(devices) != len(everydayDevices) {
		t.Errorf("%d devices, %v", len(devices), err)
	}
	for _, one := range devices {
		if err := unix.Close(one.file); err != nil {
			t.Error(err)
		}
	}
	none := in("none")
	for says, err := range map[string]error{
		"mount " + none + " on " + none + ": ": bind(none, none), "make " + none + " read-only: ": readOnly(none), "show it at " + none + ": ": showAt(-1, none), "grant x: ": grantFile(-1, "x", -1, 0), "": holdLink(none),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	shown, err := (&Plan{Show: []string{none}}).openShown()
	if err != nil || len(shown) > 0 {
		t.Errorf("what went is shown: %+v, %v", shown, err)
	}
	if err := grant(-1, none, 0); err != nil {
		t.Errorf("a missing path needs no grant: %v", err)
	}
	if err := grant(-1, in("b"), 0); err == nil || !strings.HasPrefix(err.Error(), "grant "+in("b")+": ") {
		t.Errorf("%v", err)
	}
	if err := grant(-1, in("b/x"), 0); err == nil || !strings.HasPrefix(err.Error(), "grant "+in("b/x")+": not a directory") {
		t.Errorf("%v", err)
	}
	if _, err := newRuleset(0, 0); err == nil {
		t.Error("rules about nothing are made")
	}
}
