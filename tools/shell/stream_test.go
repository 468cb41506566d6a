package shell

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

func TestSkippedOutputIsCounted(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 18)) //nolint:gosec // a fixed seed, so that all runs are equal
	ran := func(text string) proc.Output {
		result, err := proc.Run(t.Context(), proc.Command{Name: "cat", Dir: t.TempDir(), Environ: []string{"PATH=/usr/bin:/bin"}, Stdin: text})
		if err != nil {
			t.Fatal(err)
		}
		return result.Stdout
	}
	for round := range 40 {
		longest := []int{1, 10, 80, 900, 5000, 30_000}[round%6]
		unit := []string{"a", "ü", "word ", "\t字", "a\rb"}[round%5]
		var text strings.Builder
		for text.Len() < 200<<10 {
			text.WriteString(strings.Repeat(unit, random.IntN(longest)/len(unit)) + "\n")
		}
		output := ran(text.String())
		if output.Dropped() == 0 {
			t.Fatalf("round %d: nothing is missing", round)
		}
		first, last := output.HeadAndTail()
		all := streamWithGap(output, first[:strings.LastIndexByte(string(first), '\n')+1], last[strings.IndexByte(string(last), '\n')+1:], lines)
		for name, limits := range map[string]tools.Limits{"shown": shown, "ends": ends, "ordinary": ordinary} {
			wantText, wantLine := printed{stdout: all}.withinLimits(limits)
			some := read(output, limits)
			gotText, gotLine := printed{stdout: some}.withinLimits(limits)
			if gotText != wantText || gotLine != wantLine {
				t.Errorf("round %d, %s: from line %d, not %d:\n%.300s\n%s", round, name, gotLine, wantLine, gotText, gap(gotText)+gap(wantText))
			}
			if unit != "a\rb" && longest < 30_000 && len(some.head)+len(some.tail) >= len(all.head)+len(all.tail) {
				t.Errorf("round %d, %s: all %d lines were read", round, name, len(all.head)+len(all.tail))
			}
		}
	}
}

// gap returns the line that describes the omitted part.
func gap(text string) string {
	_, behind, _ := strings.Cut(text, "\n[… ")
	said, _, _ := strings.Cut(behind, "\n")
	return fmt.Sprintln(said)
}
