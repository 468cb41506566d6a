package jail_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail"
)

// Landlock has no rights for file attributes: permissions, owners and times. A private /tmp would
// hide a missing protection, so the place is not below /tmp.
func TestOutsideFileAttributesStay(t *testing.T) {
	for _, attack := range []struct{ name, line string }{
		{"rights", `chmod 0777 $BASE/outside.txt`},
		{"rights of a directory", `chmod 0777 $BASE/victim`},
		{"rights of everything", `chmod -R go+rwX ~/.ssh`},
		{"a program with the rights of its owner", `chmod u+s $BASE/outside.txt`},
		{"rights through a link", `ln -s $BASE/outside.txt link; chmod 0777 link`},
		{"time", `touch -d @1 $BASE/outside.txt`},
		{"owner", `chown 4712 $BASE/outside.txt`},
		{"extended attribute", `$SELF attack xattr $BASE/outside.txt`},
		{"flags of the file system", `$SELF attack flags $BASE/outside.txt`},
		{"rights by descriptor", `exec 9< $BASE/outside.txt; chmod 0777 /proc/self/fd/9`},
	} {
		t.Run(attack.name, func(t *testing.T) {
			t.Parallel()
			for _, inside := range []bool{true, false} {
				base, err := os.MkdirTemp("/var/tmp", "marvin-jail-test-")
				if err != nil {
					t.Skip(err)
				}
				t.Cleanup(func() { os.RemoveAll(base) })
				p := newPlaceIn(t, base, jail.Workspace)
				before := said(t, p)
				result := p.run(t, inside, attack.line)
				after := said(t, p)
				switch {
				case inside && before != after:
					t.Fatalf("it got out:\n%s\n%s", before, after)
				case !inside && before == after && !strings.Contains(result.Stdout.Text(), "ESCAPED"):
					t.Skipf("this system itself forbids it: %s", result.Stderr.Text())
				}
			}
		})
	}
}

// said returns the attributes of the files that must not change.
func said(t *testing.T, p *place) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"/outside.txt", "/victim", "/home/.ssh", "/home/.ssh/id_ed25519"} {
		info, err := os.Stat(p.base + name)
		value := make([]byte, 16)
		n, missing := unix.Getxattr(p.base+name, "user.evil", value)
		file, opened := os.Open(p.base + name)
		if err := errors.Join(err, opened); err != nil {
			t.Fatal(err)
		}
		flags, _ := unix.IoctlGetUint32(int(file.Fd()), unix.FS_IOC_GETFLAGS)
		file.Close()
		fmt.Fprintln(&all, name, info.Mode(), info.ModTime(), info.Sys().(*syscall.Stat_t).Uid, n, missing, flags)
	}
	return all.String()
}

// A command cannot attack other processes through their limits, which would end them or their
// writing, or through their shared memory.
func TestOtherProcessesKeepTheirLimitsAndTheirMemory(t *testing.T) {
	const size = 4096
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, size, unix.IPC_CREAT|0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	for _, line := range []string{"$SELF attack limit $OUT", fmt.Sprintf("$SELF attack shared %d", id)} {
		for _, inside := range []bool{true, false} {
			p := newPlace(t, jail.Workspace)
			result := p.run(t, inside, line)
			if out := strings.Contains(result.Stdout.Text(), "ESCAPED"); out == inside {
				t.Errorf("%s, inside %v, got out %v: %s", line, inside, out, result.Stderr.Text())
			}
		}
	}
	p := newPlace(t, jail.Workspace)
	if own := p.run(t, true, "ulimit -n 64 && ulimit -n"); own.Stdout.Text() != "64\n" {
		t.Errorf("a command cannot limit itself: %s", own.Stderr.Text())
	}
}
