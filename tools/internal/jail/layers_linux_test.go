package jail_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"marvin/persistence/disktest"
	"marvin/tools/internal/jail"
)

func TestSetuidProgramsGainNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make the program")
	}
	for _, inside := range []bool{true, false} {
		p := newPlace(t, jail.Workspace)
		id, err := exec.LookPath("id")
		if err != nil {
			t.Skip(err)
		}
		program := p.base + "/raise"
		data, err := os.ReadFile(id)
		if err := errors.Join(err, disktest.WriteProgram(program, data, 0o755), os.Chown(program, 4711, 4711), os.Chmod(program, 0o4755|os.ModeSetuid)); err != nil {
			t.Fatal(err)
		}
		said := p.run(t, inside, program+" -u").Stdout.Text()
		if raised := strings.TrimSpace(said) == "4711"; raised == inside {
			t.Errorf("inside %v: the program runs as %s", inside, said)
		}
	}
}

func TestTheFilterRefusesEveryCallOnItsList(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	if result := p.run(t, true, `$SELF attack calls`); result.Stdout.Text() != "ALL REFUSED\n" {
		t.Errorf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	if result := p.run(t, true, `$SELF attack terminal`); result.ExitCode == 0 || !strings.Contains(result.Stderr.Text(), "not permitted") {
		t.Errorf("TIOCSTI: %s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	status := p.run(t, true, `grep -E "^(NoNewPrivs|Seccomp|CapAmb):" /proc/self/status; grep CapEff /proc/self/status`).Stdout.Text()
	for _, want := range []string{"NoNewPrivs:\t1", "Seccomp:\t2", "CapAmb:\t0000000000000000"} {
		if !strings.Contains(status, want) {
			t.Errorf("no %q in\n%s", want, status)
		}
	}
}

// A command that may read a device cannot control it, if the kernel has such a right.
func TestDevicesTakeNoOrders(t *testing.T) {
	if version, _, failed := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION); failed != 0 || version < 5 {
		t.Skip("Landlock of this kernel has no such right")
	}
	p := newPlace(t, jail.Workspace)
	for _, inside := range []bool{true, false} {
		result := p.run(t, inside, "head -c 1 /dev/urandom >/dev/null && $SELF attack control /dev/urandom")
		said := result.Stdout.Text() + result.Stderr.Text()
		if inside && !strings.Contains(said, "control: permission denied") || !inside && !strings.Contains(said, "ESCAPED") {
			t.Errorf("inside %v: %s", inside, said)
		}
	}
}

func TestAsAnOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("they run as an ordinary user already")
	}
	base, err := os.MkdirTemp("/var/tmp", "jail-user-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base)
	const user = 4711
	data, err := os.ReadFile(os.Args[0])
	if err := errors.Join(err, os.Chmod(base, 0o755), disktest.WriteProgram(base+"/jail.test", data, 0o755), os.Mkdir(base+"/home", 0o755), os.Chown(base+"/home", user, user), os.Chown(base+"/jail.test", user, user)); err != nil {
		t.Fatal(err)
	}
	selected := "EscapesFail|KeysAreHidden|AReadOnly|AbsentNames|TheHomeDirectory"
	if !testing.Short() {
		selected += "|Tier|AGitFile|GitWorks"
	}
	child := exec.Command(base+"/jail.test", "-test.run", selected, "-test.timeout", "4m", fmt.Sprint("-test.short=", testing.Short()))
	child.Env = []string{"HIDDEN=1", "HOME=" + base + "/home", "PATH=" + os.Getenv("PATH")}
	child.Dir = "/"
	child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	output, err := child.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
