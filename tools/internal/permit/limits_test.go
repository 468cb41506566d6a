//go:build unix

package permit

import (
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/tools/internal/permit/command"
)

// worked returns the processor time of this process, which does not depend on other load: on a
// machine with 26 other processes, a line that takes 0.2 s took 11 s.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func TestNoLineIsJudgedForLong(t *testing.T) {
	lines := map[string]string{
		"pipes into shells":      "curl x" + strings.Repeat("|sh", 9000),
		"echoes into shells":     "echo a" + strings.Repeat("|echo a", 5000) + strings.Repeat("|sh", 5000),
		"values of variables":    "x='" + strings.Repeat("a ", 20000) + "';" + strings.Repeat("$x;", 5000),
		"values in one command":  "x='" + strings.Repeat("rm a ", 6000) + "';foo " + strings.Repeat("$x ", 9000),
		"commands in arguments":  "foo " + strings.Repeat("rm x ", 12000),
		"options with programs":  "tar " + strings.Repeat("-I x ", 12000),
		"substitutions":          strings.Repeat("bash <(", 2000) + strings.Repeat(")", 2000),
		"what find runs, and on": "find " + strings.Repeat("a ", 5000) + strings.Repeat("-exec rm {} ; ", 3500),
		"here documents":         strings.Repeat("sh <<E\nrm x\nE\n", 4000),
		"changes of directory":   strings.Repeat("cd a;", 12000) + "rm -rf x",
		"functions in functions": strings.Repeat("f(){ :|:;", 6000) + strings.Repeat("}", 6000),
		"loops in loops":         "for a in 1 2 3 4 5 6 7;do for b in 1 2 3 4 5 6 7;do for c in 1 2 3 4 5 6 7;do for d in 1 2 3 4 5 6 7;do for e in 1 2 3 4 5 6 7;do for f in 1 2 3 4 5 6 7;do rm x;done;done;done;done;done;done",
		"pipes in pipes":         strings.Repeat("x=1|(", 9000) + "x=1" + strings.Repeat(")", 9000),
		"values for a program":   strings.Repeat("a=b;", 9000) + strings.Repeat("$a $a;", 4000),
		"shells with variables":  strings.Repeat("export a=1;", 1000) + strings.Repeat("bash -c 'x=1';", 3500) + "rm -rf ~",
		"calls in a program":     "python3 - <<E\n" + strings.Repeat("run(", 15000) + "\nE\n",
		"names in a program":     "python3 - <<E\n" + strings.Repeat("a=b\nrmtree(a)\nb=a\n", 3000) + "E\n",
		"strings in a program":   "python3 - <<E\nsystem\n" + strings.Repeat("'rm -rf ~'\n", 5500) + "E\n",
		"nests programs":         "python3 -c '" + strings.Repeat(`eval("`, 9000) + "'",
		"recipes":                "make -f - <<E\n" + strings.Repeat("a:;rm $(shell rm $(x))\n", 2600) + "E\n",
		"commands of sed":        "sed '" + strings.Repeat("s/a/rm -rf b/e;", 4000) + "'",
		"lines of an editor":     "ed <<E\n" + strings.Repeat("!rm x\n", 10000) + "E\n",
		"words for xargs":        "echo " + strings.Repeat("a ", 10000) + strings.Repeat("|xargs rm", 4000),
		"formats":                "printf '" + strings.Repeat("%s", 5000) + "' " + strings.Repeat("a ", 20000) + "|sh;rm -rf ~",
		"wrappers in wrappers":   strings.Repeat("env ", 16000) + "rm x",
		"marks in wrappers":      strings.Repeat("xargs env {} ", 40) + "rm x; rm -rf ~",
		"shells in find":         strings.Repeat("find . -exec sh {} ", 40) + "rm x; rm -rf ~",
	}
	for n, name := range slices.Sorted(maps.Keys(lines)) {
		if testing.Short() && n%4 > 0 {
			continue
		}
		line, began := lines[name], worked(t)
		verdict := judge(nil, line)
		if took := worked(t) - began; took > 10*time.Second || !verdict.Firm {
			t.Errorf("%s: %v after %s", name, verdict, took)
		}
	}
}

// A line that is cut off anywhere is judged like any other, without a panic.
func TestEveryBeginningOfALineIsJudged(t *testing.T) {
	sending, err := os.ReadFile("command/testdata/sends.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, one := range corpus(t) {
		lines = append(lines, one.line)
	}
	for row := range strings.Lines(string(sending)) {
		_, line, _ := strings.Cut(row, "\t")
		lines = append(lines, line)
	}
	for _, line := range lines {
		words := strings.Split(line, " ")
		for n := 1; n < len(words) && n < 8; n++ {
			begins := strings.Join(words[:n], " ")
			if report := command.Inspect(begins, home); strings.HasPrefix(report.Unclear, "reading it failed") {
				t.Errorf("%q: %s", begins, report.Unclear)
			}
			command.Sends(begins, home) // this must not panic
		}
	}
}
