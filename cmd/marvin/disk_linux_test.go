//go:build amd64 || arm64

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
)

func TestDeltaWritesBudget(t *testing.T) {
	written := map[int]int{}
	for _, pieces := range []int{10, 3000} {
		answer := modeltest.Text(strings.Split(strings.Repeat("word ", pieces), " ")...)
		command := process(t, func(modeltest.Request) modeltest.Step { return answer }, "-p", "talk")
		home := strings.TrimPrefix(command.Env[0], "HOME=")
		err := disktest.Watch(command, home, func(call disktest.Call) disktest.Verdict {
			if call.ChangesDisk() && !call.ToStdout() {
				written[pieces]++
			}
			return disktest.Verdict{}
		})
		if errors.Is(err, disktest.ErrNotHere) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("changes of the disk: %v", written)
	if written[3000] != written[10] || written[10] == 0 || written[10] > 50 { // 46 in a fresh home, most of them to make directories
		t.Errorf("10 pieces change the disk %d times, 3,000 pieces %d times", written[10], written[3000])
	}
}

func TestEveryCallOfARunFailsOnce(t *testing.T) {
	t.Parallel()
	stride := 13
	if os.Getenv("TORTURE") != "" {
		stride = 1
	}
	tried := 0
	for nth := 1; ; nth += stride {
		seen, hit := 0, ""
		command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("the answer") }, "-p", "talk")
		home := persistence.Open(strings.TrimPrefix(command.Env[0], "HOME="), time.Now)
		if err := spending.Of(home).Add(spending.Usage{Turns: 100}); err != nil {
			t.Fatal(err)
		}
		audit := filepath.Join(home.User, "audit.jsonl")
		command.Env = append(command.Env, "MARVIN_SUBAGENT_LOG="+audit)
		var stderr bytes.Buffer
		var said strings.Builder
		command.Stderr = &stderr
		err := disktest.Watch(command, home.User, func(call disktest.Call) disktest.Verdict {
			if call.ToStdout() {
				said.Write(call.Data)
				return disktest.Verdict{}
			}
			if seen++; seen != nth {
				return disktest.Verdict{}
			}
			hit = call.String()
			return disktest.Verdict{Fail: unix.EIO}
		})
		switch {
		case errors.Is(err, disktest.ErrNotHere):
			t.Skip(err)
		case strings.HasPrefix(hit, "open ") && strings.Contains(hit, "config.yaml"): // what it forbids would be allowed
			if said.String() != "" || !strings.Contains(stderr.String(), "cannot read the configuration") {
				t.Errorf("call %d (%s) failed: %q\n%s", nth, hit, said.String(), stderr.String())
			}
		case !strings.Contains(said.String(), "the answer"):
			t.Errorf("call %d (%s) failed, and so did the answer: %q\n%s", nth, hit, said.String(), stderr.String())
		}
		checkCostLine(t, stderr.String())
		if usage, err := spending.Of(home).Usage(); err != nil || usage.Turns < 100 || usage.Turns > 101 {
			t.Errorf("call %d (%s) failed: the sums are %d, %v", nth, hit, usage.Turns, err)
		}
		if hit == "" {
			break
		}
		tried++
	}
	t.Logf("%d calls failed, one after the other", tried)
}
