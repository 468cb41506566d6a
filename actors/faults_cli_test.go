package actors_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/providers/copilot"
	"marvin/providers/modeltest"
)

// Faults of the Copilot CLI itself. Each CLI here is a script that finally executes the real one.

// killed simulates the death of a CLI at several points. Marvin must notice it at once and start
// the CLI again.
func killed(t *testing.T, stage *stage, world []string, path string) (rows []row) {
	note := filepath.Join(t.TempDir(), "pid")
	cli := startCLI(t, world, program(t, fmt.Sprintf("echo $$ >'%s'; exec '%s' \"$@\"", note, path)), 0)
	for _, death := range []struct {
		fault
		when func(*actorstest.Tree) // nil means while the tool runs
	}{
		{
			fault{name: "CLI killed before a word", script: one(modeltest.Think("hm").Append(modeltest.Hang())), outcome: failed},
			func(tree *actorstest.Tree) { actorstest.ReadUntil[messages.Thinking](tree) },
		},
		{
			fault{name: "CLI killed in the middle", script: []modeltest.Step{modeltest.Text("The first half ").Append(modeltest.Hang()), modeltest.Text("and the rest.")}, outcome: completed, text: "The first half and the rest."},
			func(tree *actorstest.Tree) { actorstest.ReadUntil[messages.Text](tree) },
		},
		{fault{name: "CLI killed under a call", script: one(counts()), outcome: completed, text: "recovered"}, nil},
	} {
		if testing.Short() && death.name != "CLI killed in the middle" { // each death starts another CLI
			continue
		}
		death.within = actorstest.Patience
		t.Run(death.name, func(t *testing.T) {
			var died time.Time
			end := func() { died = time.Now(); kill(t, note) }
			if death.when == nil {
				rows = append(rows, stage.meet(t, cli, death.fault, end, func(*actorstest.Tree) {}))
				return
			}
			begun := time.Now()
			row := stage.meet(t, cli, death.fault, func() {}, func(tree *actorstest.Tree) { death.when(tree); end() })
			rows = append(rows, row)
			if noticed := begun.Add(row.took).Sub(died); row.ended.Outcome == failed && noticed > actorstest.Patience {
				t.Errorf("it was noticed after %s", noticed)
			}
		})
	}
	return rows
}

// kill ends the process with the noted number as the kernel does when memory is
// short, and waits until its parent knows.
func kill(t *testing.T, note string) {
	content, err := os.ReadFile(note)
	if err != nil {
		t.Error(err)
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		t.Error(err)
		return
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Error(err)
		return
	}
	for deadline := time.Now().Add(actorstest.Patience); process.Kill() == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Error("the CLI does not end")
			return
		}
	}
}

// speechless simulates a CLI that starts and sends nothing, the first time.
func speechless(t *testing.T, stage *stage, world []string, path string) (rows []row) {
	tried := filepath.Join(t.TempDir(), "tried")
	script := fmt.Sprintf("if [ -e '%[1]s' ]; then exec '%[2]s' \"$@\"; fi; touch '%[1]s'; exec sleep 1000", tried, path)
	cli := startCLI(t, world, program(t, script), 20*time.Second) // a real start takes 0.5 s, but seconds on a busy machine
	fault := fault{name: "CLI that never answers", outcome: failed, within: actorstest.Patience}
	t.Run(fault.name, func(t *testing.T) {
		rows = append(rows, stage.meet(t, cli, fault, func() {}, func(*actorstest.Tree) {}))
	})
	return rows
}

// program writes a shell script that replaces the CLI.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copilot")
	if err := disktest.WriteProgram(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// startCLI returns a CLI that ends with the test.
func startCLI(t *testing.T, world []string, path string, limit time.Duration) *copilot.CLI {
	t.Helper()
	cli := copilot.NewCLI(copilot.CLIConfig{Environ: append(slices.Clip(world), "COPILOT_CLI_PATH="+path), StartLimit: cmp.Or(limit, actorstest.Patience)})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		cli.Stop(ctx)
	})
	return cli
}
