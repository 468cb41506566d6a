package proc

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// detach starts a line in the background with its output in a file.
func detach(t *testing.T, line string) (child *DetachedChild, output string) {
	t.Helper()
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	child, err = Start(Command{Shell: line, Dir: dir, Environ: os.Environ()}, file, file, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Stop(0) })
	return child, file.Name()
}

// lines waits until the file has n lines.
func lines(t *testing.T, path string, n int) []string {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); time.Now().Before(limit); time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(path)
		if strings.Count(string(text), "\n") >= n {
			return strings.Fields(string(text))
		}
	}
	t.Fatalf("%s never got %d lines", path, n)
	return nil
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestADetachedChildTellsHowItEnded(t *testing.T) {
	for line, want := range map[string]Ending{
		"exit 0":        {},
		"exit 7":        {ExitCode: 7},
		"kill -KILL $$": {ExitCode: 137, Signal: "killed"},
	} {
		child, _ := detach(t, line)
		if end := child.Wait(); end.ExitCode != want.ExitCode || end.Signal != want.Signal || len(end.Left) != 0 || child.Alive() {
			t.Errorf("%s: %+v, alive %v", line, end, child.Alive())
		}
	}
}

// A job may run in another process group (set -m) or session (setsid), or have lost its parent. All
// its processes end, even if they ignore TERM.
func TestStopEndsAllThatADetachedChildStarted(t *testing.T) {
	child, output := detach(t, `exec 2>/dev/null; trap "" TERM; set -m; (trap "" TERM; echo $BASHPID; sleep 300; sleep 300) & setsid sh -c 'echo $$; sleep 300' & (sh -c 'echo $$; sleep 300' &) ; echo $$; sleep 300; sleep 300`)
	pids := lines(t, output, 4)
	waited := make(chan Ending, 1)
	go func() { waited <- child.Wait() }()
	if err := child.Stop(50 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if end := <-waited; end.Signal != "killed" {
		t.Errorf("ended %+v", end)
	}
	for _, pid := range pids {
		if (Identity{PID: number(t, pid)}).Alive() {
			t.Errorf("process %s still runs", pid)
		}
	}
}

func TestLeftoverProcessesAreNamedAndEnded(t *testing.T) {
	child, output := detach(t, "sleep 300 & echo $!")
	end := child.Wait()
	pid := number(t, lines(t, output, 1)[0])
	if len(end.Left) != 1 || end.Left[0].PID != pid {
		t.Fatalf("left %+v, want %d", end.Left, pid)
	}
	left := Identity{PID: pid, Started: end.Left[0].Started, Mark: end.Left[0].Mark}
	if !left.Alive() {
		t.Error("it is not known to run")
	}
	if err := left.Stop(time.Second); err != nil || left.Alive() {
		t.Errorf("%v, alive %v", err, left.Alive())
	}
}

// The identity of a process to end may come from a file that another program wrote.
func TestStopEndsNothingThatItDoesNotKnow(t *testing.T) {
	child, output := detach(t, "echo $$; exec sleep 300")
	lines(t, output, 1)
	other := strings.Repeat("A", 26)
	for name, identity := range map[string]Identity{
		"another mark":        {PID: child.PID, Started: child.Started, Mark: other},
		"an empty mark":       {PID: child.PID, Started: child.Started},
		"a mark that is PATH": {PID: child.PID, Started: child.Started, Mark: "PATH"},
		"another start":       {PID: child.PID, Started: "1", Mark: other},
		"no pid":              {PID: 0, Mark: other},
		"a pid of all":        {PID: -1, Mark: other},
	} {
		_ = identity.Stop(0)
		if !child.Alive() {
			t.Fatalf("%s: it was ended", name)
		}
	}
	if (Identity{PID: child.PID, Started: "1"}).Alive() {
		t.Error("the next use of a pid passes for the first")
	}
	_ = child.Stop(0)
	if end := child.Wait(); end.Signal == "" {
		t.Errorf("ended %+v", end)
	}
}

func TestAZombieDoesNotLive(t *testing.T) {
	child, _ := detach(t, "exit 0")
	for limit := time.Now().Add(20 * time.Second); child.Alive(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("a zombie passes for alive")
		}
	}
	child.Wait()
}

func TestAMarvinGetsKeysButNoStrangeRepository(t *testing.T) {
	_, environ := childEnviron(Command{Dir: "/p", Marvin: true, Env: []string{"MARVIN_READONLY=1"}, Environ: []string{
		"OPENAI_API_KEY=sk-1", "MARVIN_CODE_MODEL_HIGH=m", "MARVIN_PASS_ENV=NPM_TOKEN", "NPM_TOKEN=x", "VIRTUAL_ENV=/v",
		"GIT_DIR=/other", "GIT_WORK_TREE=/other", "GIT_INDEX_FILE=/i", "MARVIN_TICKET=t-1",
	}})
	for _, want := range []string{"OPENAI_API_KEY=sk-1", "MARVIN_CODE_MODEL_HIGH=m", "MARVIN_PASS_ENV=NPM_TOKEN", "NPM_TOKEN=x", "MARVIN_READONLY=1"} {
		if !slices.Contains(environ, want) {
			t.Errorf("it lacks %s", want)
		}
	}
	for _, entry := range environ {
		if strings.HasPrefix(entry, "GIT_DIR=") || strings.HasPrefix(entry, "GIT_WORK") || strings.HasPrefix(entry, "GIT_INDEX") || strings.HasPrefix(entry, "MARVIN_TICKET=") {
			t.Errorf("it has %s", entry)
		}
	}
}
