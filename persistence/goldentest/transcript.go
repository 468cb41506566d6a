package goldentest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Transcript makes the calls in the file testdata/<name> and compares the results with the file. If
// update is true, it replaces the results in the file.
//
// A call is a line of the form "> NAME ARGS". The lines of the result follow the call. Lines of
// output begin with "|", and lines of an error begin with "!". Empty lines and lines that begin
// with "#" are comments.
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
