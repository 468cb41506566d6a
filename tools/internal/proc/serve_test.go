//go:build linux

package proc

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestAServedChildIsTalkedToAndEndsWithAllItStarted(t *testing.T) {
	served, err := Serve(Command{Shell: `echo "hello from stderr" >&2; setsid sleep 1000 & cat`, Dir: t.TempDir(), Environ: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(served.Stdout)
	for _, said := range []string{"one\n", "two\n"} {
		if _, err := served.Stdin.Write([]byte(said)); err != nil {
			t.Fatal(err)
		}
		if heard, err := out.ReadString('\n'); err != nil || heard != said {
			t.Fatalf("heard %q: %v", heard, err)
		}
	}
	members := served.run.session.members()
	if len(members) < 2 {
		t.Errorf("members %+v", members)
	}
	served.Stop()
	served.Stop()
	<-served.Gone()
	if left := served.run.session.members(); len(left) != 0 {
		t.Errorf("%+v are left", left)
	}
	if !strings.Contains(served.StderrText(), "hello from stderr") {
		t.Errorf("it said %q", served.StderrText())
	}
}

func TestAServedChildThatDiesIsNoticed(t *testing.T) {
	served, err := Serve(Command{Shell: "echo why >&2; exit 7", Dir: t.TempDir(), Environ: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	defer served.Stop()
	<-served.Gone()
	if served.Ended().ExitCode != 7 || !strings.Contains(served.StderrText(), "why") {
		t.Errorf("it ended as %+v and said %q", served.Ended(), served.StderrText())
	}
	if _, err := Serve(Command{Name: "/nowhere/server", Dir: t.TempDir(), Environ: os.Environ()}); err == nil {
		t.Error("a missing program was started")
	}
}

func TestAServedChildEndsThoughOthersHoldItsPipes(t *testing.T) {
	served, err := Serve(Command{Shell: "sleep 1000 & head -c 40000 /dev/zero; echo the last", Dir: t.TempDir(), Environ: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	defer served.Stop()
	<-served.Gone()
	said := make(chan []byte, 1)
	go func() {
		all, _ := io.ReadAll(served.Stdout)
		said <- all
	}()
	select {
	case all := <-said:
		if len(all) != 40_000+len("the last\n") || !bytes.HasSuffix(all, []byte("the last\n")) {
			t.Errorf("it said %d bytes", len(all))
		}
	case <-time.After(time.Minute):
		t.Error("its end is not noticed")
	}
}

// A wrapper dies with Marvin. Its children, even outside its session, die because a guard outlives
// Marvin by a moment.
func TestNothingOfAServerOutlivesMarvin(t *testing.T) { outlivesNobody(t, "serve") }

func TestNothingOfACallThatEndsWithItsChildOutlivesMarvin(t *testing.T) { outlivesNobody(t, "run") }

func outlivesNobody(t *testing.T, how string) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "PROC_TEST_SERVES="+how)
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	var pids []int
	for range 3 {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	for limit := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		living := 0
		for _, pid := range pids {
			if _, alive := readStat(pid); alive {
				living++
			}
		}
		if living == 0 {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("%d of %v outlived Marvin", living, pids)
		}
	}
}
