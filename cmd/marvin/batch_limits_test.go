package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/providers/modeltest"
)

func TestBatchCostLimitIsForAllTogether(t *testing.T) {
	var asked atomic.Int32
	stdout, stderr, code := ends(t, batchOf(t, func(string) modeltest.Step {
		asked.Add(1)
		return modeltest.Text("x").WithFaults(modeltest.Tokens(1_000_000, 0, 0))
	}, prompts("a", "b", "c", "d", "e"), "--jobs", "1", "--max-cost", "0.5"))
	if got := outcomes(t, stdout); got != "a completed, b completed, c completed" || asked.Load() != 3 || code != 1 {
		t.Errorf("exit code %d, %d questions, %s", code, asked.Load(), got)
	}
	if !strings.Contains(stderr, "Error: the cost limit of the batch is reached ($0.5)") {
		t.Errorf("stderr:\n%s", stderr)
	}
	checkCostLine(t, stderr)
}

// However many prompts may run at once, near the cost limit only one runs at a time.
func TestManyAtOnceInABatchSpendNoMore(t *testing.T) {
	for limit, most := range map[string]int32{"0.5": 3, "0.1": 1} { // one costs 0.29
		var asked atomic.Int32
		_, stderr, code := ends(t, batchOf(t, func(string) modeltest.Step {
			asked.Add(1)
			return modeltest.Text("x").WithFaults(modeltest.Tokens(1_000_000, 0, 0))
		}, manyPrompts(40), "--jobs", "32", "--max-cost", limit))
		if asked.Load() > most || code != 1 || !strings.Contains(stderr, "the cost limit of the batch is reached ($"+limit+")") {
			t.Errorf("--max-cost %s: exit code %d, %d questions\n%s", limit, code, asked.Load(), stderr)
		}
	}
}

func TestBatchWhoseReaderGoesAwayEndsQuietly(t *testing.T) {
	command := batchOf(t, func(string) modeltest.Step { return modeltest.Text("x") }, manyPrompts(500))
	stdout, stderr := piped(t, command)
	bufio.NewReaderSize(stdout, 16).ReadByte()
	stdout.Close()
	waitFor(t, command)
	if code := command.ProcessState.ExitCode(); code != 1 || strings.Contains(stderr.String(), "500        completed") || strings.Contains(stderr.String(), "Error:") {
		t.Errorf("exit code %d\n%s", code, stderr.String())
	}
	checkCostLine(t, stderr.String())
}

func manyPrompts(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	return prompts(ids...)
}

// If the process may open few files, fewer prompts run at once, and it does not crash.
func TestBatchWithFewFiles(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int32
	command := batchOf(t, func(prompt string) modeltest.Step {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(20 * time.Millisecond) // so that they meet; the model is slow, not the test
		now.Add(-1)
		return modeltest.Text("to " + prompt)
	}, manyPrompts(150), "--jobs", "1000")
	marvin := filepath.Join(t.TempDir(), "marvin")
	if err := os.Symlink(os.Args[0], marvin); err != nil {
		t.Fatal(err)
	}
	command.Path = "/bin/sh"
	command.Args = append([]string{"sh", "-c", `ulimit -n 256; exec "$0" "$@"`, marvin}, command.Args[1:]...)
	stdout, stderr, code := ends(t, command)
	if n := strings.Count(outcomes(t, stdout), "completed"); n != 150 || code != 0 {
		t.Errorf("exit code %d, %d answers\n%s", code, n, stderr)
	}
	if !strings.Contains(stderr, "warning: --jobs 1000 needs more open files than this process may have (ulimit -n), so Marvin answers 64 prompts at a time") || most.Load() > 64 {
		t.Errorf("%d at once\n%s", most.Load(), stderr)
	}
	t.Logf("up to %d at once", most.Load())
}
