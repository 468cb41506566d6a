package permit

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// What is found in each line of the corpus, word by word: a line may be judged rightly for
// the wrong reason, or by one of two, and nobody would know once the other is gone.
func TestTheReportsOfTheCorpus(t *testing.T) {
	var all strings.Builder
	for _, one := range corpus(t) {
		fmt.Fprintf(&all, "%s\n", strings.ReplaceAll(one.line, "\n", "⏎"))
		all.WriteString(inWords(Inspect(one.line, home)))
	}
	golden(t, "testdata/reports.golden", all.String())
}

// golden compares a text with a file, whose lines without a tab in front are what is
// judged, and those with one what was found.
func golden(t *testing.T, name, text string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, expected := strings.Split(text, "\n"), strings.Split(string(want), "\n")
	line := ""
	for n := range max(len(got), len(expected)) {
		if n >= len(got) || n >= len(expected) || got[n] != expected[n] {
			t.Fatalf("%s:%d, of %s\ngot  %s\nwant %s\nmake golden rewrites it; read the difference", name, n+1, line, at(got, n), at(expected, n))
		}
		if !strings.HasPrefix(got[n], "\t") {
			line = got[n]
		}
	}
}

func at(lines []string, n int) string {
	if n < len(lines) {
		return lines[n]
	}
	return "(nothing)"
}

// inWords is all of a report, one finding a line.
func inWords(report Report) string {
	var out strings.Builder
	for _, part := range report.Parts {
		fmt.Fprintf(&out, "\tpart %q%s\n", texts(part.Words), strings.Join(marks(part), ""))
	}
	for _, danger := range report.Dangers {
		fmt.Fprintf(&out, "\tdanger %s %q; %s\n", danger, danger.Marks, danger.instead())
	}
	if report.Unclear != "" {
		fmt.Fprintf(&out, "\tunclear: %s\n", report.Unclear)
	}
	if report.Opaque != "" {
		fmt.Fprintf(&out, "\topaque: %s\n", report.Opaque)
	}
	return out.String()
}

func marks(part Part) (list []string) {
	for mark, set := range map[string]bool{", as root": part.Root, ", in a program": part.inner, ", not literal": !part.literal()} {
		if set {
			list = append(list, mark)
		}
	}
	slices.Sort(list)
	return list
}
