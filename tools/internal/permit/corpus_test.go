package permit

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// example is a line of the corpus: dangerous, ordinary or unclear. No line is ever run.
type example struct{ want, line string }

func corpus(t testing.TB) []example {
	t.Helper()
	data, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []example
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		want, command, ok := strings.Cut(line, "\t")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !ok || !slices.Contains([]string{"dangerous", "ordinary", "unclear"}, want) {
			t.Fatalf("%q is no line of the corpus", line)
		}
		list = append(list, example{want, strings.ReplaceAll(command, "⏎", "\n")})
	}
	return list
}

// judgement returns a verdict in the words of the corpus.
func judgement(verdict Verdict) string {
	switch {
	case !verdict.Firm:
		return "ordinary"
	case strings.Contains(verdict.Reasons[0], "cannot be judged") && len(verdict.Reasons) == 1:
		return "unclear"
	}
	return "dangerous"
}

func TestTheCorpusIsJudgedAsItSays(t *testing.T) {
	counts := map[string]int{}
	for _, one := range corpus(t) {
		counts[one.want]++
		verdict := judge(nil, one.line)
		if got := judgement(verdict); got != one.want {
			t.Errorf("%s, not %s: %s %v", got, one.want, one.line, verdict.Reasons)
		}
		if verdict.Decision != Ask {
			t.Errorf("with a person: %s: %s", verdict.Decision, one.line)
		}
		if alone := verdict.WithoutUser(); (alone.Decision == Deny) != (one.want != "ordinary") || (alone.Decision == Allow) != (one.want == "ordinary") {
			t.Errorf("alone %s: %s", alone.Decision, one.line)
		}
	}
	if counts["ordinary"] < 250 || counts["dangerous"] < 400 || counts["unclear"] < 10 {
		t.Errorf("only %v", counts)
	}
}

// These lines were judged wrongly in the past.
func TestLinesAreJudged(t *testing.T) {
	for line, want := range map[string]string{
		"make -f - <<< $'all:\\n\\trm -rf ~'":                "dangerous",
		"truncate -s 0 ~/x":                                  "dangerous",
		"killall -9 bash":                                    "dangerous",
		"IFS=x; rm$IFS-rf$IFS~":                              "dangerous",
		"ed <<< '!rm -rf ~'":                                 "dangerous",
		"python3 - <<'EOF'\nimport os\nprint(f\"{1}\")\nEOF": "ordinary",
		"mount | head":                                       "ordinary",
	} {
		if got := judgement(judge(nil, line)); got != want {
			t.Errorf("%s is %s, not %s", line, got, want)
		}
	}
}

// A caller may name the arguments of a call that runs a command, in any order, or put them into an
// object; the command is the same.
func TestNamedArgumentsAreJudgedAsTheCommand(t *testing.T) {
	for line, want := range map[string]string{
		`python3 -c 'import subprocess; subprocess.run(args=["rm","-rf","/"], cwd="/")'`:            "dangerous",
		`python3 -c 'import subprocess; subprocess.run(cwd="x", timeout=3, args=["rm","-rf","/"])'`: "dangerous",
		`deno eval 'new Deno.Command("rm", {cwd: "/", args: ["-rf", "/"]}).spawn()'`:                "dangerous",
		`deno eval 'Deno.run({cwd: "/", cmd: ["rm", "-rf", "/"]})'`:                                 "dangerous",
		`python3 -c 'import subprocess; subprocess.run(args=["ls","-rf","/"], cwd="/")'`:            "ordinary",
		`deno eval 'new Deno.Command("ls", {cwd: "/", args: ["-l", "/"]}).spawn()'`:                 "ordinary",
	} {
		if got := judgement(judge(nil, line)); got != want {
			t.Errorf("%s is %s, not %s", line, got, want)
		}
	}
}

// BenchmarkJudge reports the times of the median and the slowest line of the corpus.
func BenchmarkJudge(b *testing.B) {
	lines := corpus(b)
	fastest := make([]time.Duration, len(lines))
	for b.Loop() {
		for n, one := range lines {
			began := time.Now()
			judge(nil, one.line)
			if took := time.Since(began); fastest[n] == 0 || took < fastest[n] {
				fastest[n] = took
			}
		}
	}
	slices.Sort(fastest)
	b.ReportMetric(float64(fastest[len(fastest)/2].Nanoseconds())/1000, "µs/median")
	b.ReportMetric(float64(fastest[len(fastest)-1].Nanoseconds())/1000, "µs/slowest")
}
