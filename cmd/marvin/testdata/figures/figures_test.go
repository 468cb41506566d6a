package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const printed = `goos: linux
BenchmarkPlain-2           	       1	         0.41 exit-ms	        11.68 marvin-ms	         3.391 minimal-ms	        23.04 peak-MiB	         3.4 x-wall
BenchmarkTurnaround-2      	       1	 0.1 audit-ms	 0.918 marvin-ms	 0.2 minimal-ms	 0.7 more-ms
BenchmarkStream20k-2       	       1	 17.2 lean-cpu-ms	 37.4 marvin-cpu-ms	 67.7 minimal-cpu-ms
BenchmarkThirtyTwoAtOnce-2 	       1	 188.2 marvin-ms	 49 minimal-ms	 23.4 peak-MiB
BenchmarkSubAgents/1-2     	       1	 251 wall-ms	 30 peak-MiB
BenchmarkSubAgents/16-2    	       1	 303 wall-ms	 31 peak-MiB
BenchmarkSubAgents/1000-2  	       1	 2303 wall-ms	 106.2 peak-MiB
BenchmarkScreenStream/100-2 	       1	 24.3 bytes/token	 0.251 ms-cpu/token
BenchmarkScreenStart/log-0MB-2 	       1	 24.1 ms-median
BenchmarkScreenStart/log-50MB-2 	       1	 45.4 ms-median
BenchmarkEditorPrompt-2 	       1	 13.24 copilot-first-ms	 4.303 marvin-first-ms
BenchmarkScreenKeyAtRest   	       1	 1000 ns/op	 0.31 ms-median
PASS
`

const page = "# Marvin\n\nAgainst the least:\n\n" + head + "| one prompt, start to exit | 99 ms | 9 ms |\n| gone | 1 | 2 |\n\n## For developers\n\n| | other |\n"

func TestTableIsRebuilt(t *testing.T) {
	measured, err := read(strings.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	got, err := write(page, measured)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"least:\n\n" + head + "| one prompt, start to exit | 11.7 ms, 23 MiB | 3.4 ms |\n",
		"| 0.92 ms | 0.20 ms |", "| 37 ms | 68 ms (17.2 ms if it decodes nothing) |", "| 0.25 ms, 24 bytes | |", "| 303 ms (one alone: 251 ms) | |",
		"| 1,000 sub-agents at once | 106 MiB | |\n", "| 4.3 ms (copilot: 13.2 ms, opencode: ? ms) | |\n\n## For developers\n\n| | other |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "99 ms") || strings.Contains(got, "gone") {
		t.Errorf("what was there stayed:\n%s", got)
	}
	if again, err := write(got, measured); err != nil || again != got {
		t.Errorf("a second time: %v\n%s", err, again)
	}
}

func TestNothingIsWrittenUnlessAllWasMeasured(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]string{
		"not measured: {Plain/marvin-ms}": strings.Replace(printed, "BenchmarkPlain", "BenchmarkPlainly", 1),
		"a benchmark failed":              printed + "--- FAIL: BenchmarkScreenLong\n",
	} {
		if err := run([]string{path}, strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, not %s", err, name)
		}
	}
	if left, err := os.ReadFile(path); err != nil || string(left) != page {
		t.Errorf("it was changed: %v\n%s", err, left)
	}
	if err := run([]string{path}, strings.NewReader(printed)); err != nil {
		t.Error(err)
	}
}

// docs/performance.md has the table where the command looks for it.
func TestThePerformancePageHasTheTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "performance.md"))
	if err != nil || !strings.Contains(string(text), head) {
		t.Errorf("docs/performance.md has no table of figures: %v", err)
	}
}
