package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

// A limit that limits nothing is refused before any request.
func TestLimitsThatBoundNothingAreRefused(t *testing.T) {
	t.Parallel()
	asked := false
	for _, limit := range []string{
		"--max-cost=NaN", "--max-cost=nan", "--max-cost=-1", "--max-cost=Inf", "--max-cost=-Inf", "--max-cost=+inf", "--max-cost=1e999", "--max-cost=much",
		"--max-cost=0", "--max-cost=0.0", "--max-cost=-0", "--max-cost=1e-999", "--max-rounds=0", "--max-time=0s", "--max-rounds=-3", "--max-rounds=2.5", "--max-rounds=9999999999999999999999", "--max-time=-5s", "--max-time=5", "--max-time=soon",
	} {
		for _, command := range [][]string{{"--non-interactive", "-p", "go"}, {"batch", "jobs.jsonl"}, {"rpc"}} {
			run := process(t, func(modeltest.Request) modeltest.Step { asked = true; return modeltest.Text("answered") })
			run.Args = slices.Concat([]string{"marvin"}, command, []string{limit})
			run.Env = append(run.Env, "LLM_PROVIDER=openai-compat")
			if err := os.WriteFile(filepath.Join(run.Dir, "jobs.jsonl"), []byte(`{"id":"a","prompt":"go"}`+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := run.CombinedOutput()
			name, _, _ := strings.Cut(strings.TrimLeft(limit, "-"), "=")
			if err == nil || run.ProcessState.ExitCode() != 1 || !bytes.Contains(out, []byte(name)) || bytes.Contains(out, []byte("answered")) {
				t.Errorf("%v %s: %v, %s", command, limit, err, out)
			}
		}
	}
	if asked {
		t.Error("a model was asked")
	}
}
