package goldentest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Transcript reads calls and their expected results from a file in testdata, makes the calls, and
// compares the results. A line that begins with "> " is a call: a name, such as a tool's, and its
// arguments.
// The lines after it are the result. They begin with a bar, or with an exclamation mark for an
// error. Empty lines and lines that begin with # are comments. If update is true, Transcript
// replaces the results in the file.
func Transcript(t testing.TB, name string, update bool, call func(name, args string) (string, error)) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	tell := func(mark, text string) {
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			out.WriteString(strings.TrimRight(mark+strings.ReplaceAll(line, "\r", "␍"), " ") + "\n")
		}
	}
	calls := 0
	for line := range strings.Lines(string(content)) {
		made, isCall := strings.CutPrefix(line, "> ")
		if !isCall && line[0] != '#' && line != "\n" {
			continue // a result
		}
		out.WriteString(line)
		if !isCall {
			continue
		}
		calls++
		called, args, _ := strings.Cut(strings.TrimSuffix(made, "\n"), " ")
		text, err := call(called, args)
		if text != "" {
			tell("| ", text)
		}
		if err != nil {
			tell("! ", err.Error())
		}
	}
	if calls == 0 {
		t.Errorf("testdata/%s calls nothing", name)
	}
	Assert(t, name, out.String(), update)
}
