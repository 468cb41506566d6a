package goldentest

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// listener collects the messages that a test reports.
type listener struct {
	testing.TB
	told []string
}

func (l *listener) Helper()      {}
func (l *listener) Failed() bool { return len(l.told) > 0 }
func (l *listener) Log(...any)   {}
func (l *listener) Errorf(format string, args ...any) {
	l.told = append(l.told, fmt.Sprintf(format, args...))
}

func TestEveryDifferenceIsReported(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	const text = "one\ntwo\nthree\n"
	for now, want := range map[string]string{
		text:                    "",
		"one\n2\nthree\n":       "testdata/a:2 is 2\nand was two",
		"one\ntwo\n":            "testdata/a:3 is \nand was three|testdata/a:4 is gone: ",
		"one\ntwo\nthree":       "testdata/a:4 is gone: ",
		"one\ntwo\nthree\nfour": "testdata/a:4 is four\nand was ",
		text + "four\n":         "testdata/a:4 is four\nand was |testdata/a:5 is new: ",
	} {
		l := &listener{TB: t}
		Assert(l, "a", text, true)
		if Assert(l, "a", now, false); strings.Join(l.told, "|") != want {
			t.Errorf("of %q is told %q", now, l.told)
		}
	}
}

// For a completely different text, only the first differences are printed.
func TestLongDifferenceIsCut(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	l := &listener{TB: t}
	Assert(l, "a", strings.Repeat("one\n", maxDiffLines+1), true)
	Assert(l, "a", strings.Repeat("two\n", maxDiffLines), false)
	if len(l.told) != maxDiffLines+1 || !strings.HasSuffix(l.told[maxDiffLines], ": more lines after line 40 differ") {
		t.Errorf("told are %d, the last %q", len(l.told), l.told[len(l.told)-1])
	}
}
