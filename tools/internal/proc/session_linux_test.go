package proc

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestChildDiesWithMarvin(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "PROC_TEST_PARENT=1")
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	for limit := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, alive := readStat(pid); !alive {
			return
		}
		if time.Now().After(limit) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d outlived its parent", pid)
		}
	}
}

func TestOnlyWhatBeganSinceIsAsked(t *testing.T) {
	begin := func() (*exec.Cmd, string) {
		sleep := exec.Command("sleep", "300")
		sleep.Env = []string{markName + "=a-mark-of-this-test"}
		if err := sleep.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = sleep.Process.Kill(); _ = sleep.Wait() })
		return sleep, startOf(sleep.Process.Pid)
	}
	first, before := begin()
	second, after := begin()
	for after == before {
		second, after = begin()
	}
	for since, want := range map[string]int{"": 2, before: 2, after: 1, "1": 2, "9" + after: 0} {
		found := map[int]bool{}
		for _, one := range (&session{mark: "a-mark-of-this-test", began: since}).members() {
			found[one.PID] = true
		}
		got := 0
		for _, each := range []*exec.Cmd{first, second} {
			if found[each.Process.Pid] {
				got++
			}
		}
		if got != want || want == 1 && found[first.Process.Pid] {
			t.Errorf("since %q, of %q and %q, there are %v", since, before, after, found)
		}
	}
	_ = second.Process.Kill()
	if err := unix.Waitid(unix.P_PID, second.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil { // it stays a zombie
		t.Fatal(err)
	}
	if _, alive := readStat(second.Process.Pid); alive {
		t.Error("a zombie is alive")
	}
	if got := startOf(second.Process.Pid); got != after {
		t.Errorf("the one that is over began %q, not %q", got, after)
	}
}
