package edit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
)

func TestAFileThatMovedIsOneChange(t *testing.T) {
	old, changed, other := []byte("a\nb\nc\nd\n"), []byte("a\nb\nc\nD\n"), []byte("w\nx\ny\nz\n")
	for name, row := range map[string]struct {
		changes []box.Change
		want    string
	}{
		"as it was":       {[]box.Change{{Name: "x", Before: old}, {Name: "y", After: old}}, "--- a/x\n+++ b/y\n"},
		"with a change":   {[]box.Change{{Name: "y", After: changed}, {Name: "x", Before: old}}, "--- a/x\n+++ b/y\n@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+D\n"},
		"another one":     {[]box.Change{{Name: "x", Before: old}, {Name: "y", After: other}}, "--- a/x\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-a\n-b\n-c\n-d\n--- /dev/null\n+++ b/y\n@@ -0,0 +1,4 @@\n+w\n+x\n+y\n+z\n"},
		"two of one":      {[]box.Change{{Name: "x", Before: old}, {Name: "y", After: old}, {Name: "z", After: old}}, "--- a/x\n+++ b/y\n--- /dev/null\n+++ b/z\n@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+d\n"},
		"one of two":      {[]box.Change{{Name: "x", After: old}, {Name: "y", Before: old}, {Name: "z", Before: old}}, "--- a/y\n+++ b/x\n--- a/z\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-a\n-b\n-c\n-d\n"},
		"nothing in it":   {[]box.Change{{Name: "x", Before: []byte{}}, {Name: "y", After: []byte{}}}, ""},
		"an update stays": {[]box.Change{{Name: "x", Before: old, After: changed}}, "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+D\n"},
	} {
		if got := edit.Diffs(row.changes); got != row.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, row.want)
		}
	}
}

// A thousand created and a thousand deleted files are not all compared with each other; the rest
// are separate changes.
func TestTooManyFilesAreNotComparedWithEachOther(t *testing.T) {
	var changes []box.Change
	for n := range 1000 {
		changes = append(changes,
			box.Change{Name: fmt.Sprint("old", n), Before: bytes.Repeat(fmt.Appendln(nil, "gone", n), 100)},
			box.Change{Name: fmt.Sprint("new", n), After: bytes.Repeat(fmt.Appendln(nil, "made", n), 100)})
	}
	last := []byte("the same\n")
	changes = append(changes, box.Change{Name: "from", Before: last}, box.Change{Name: "to", After: last})
	diff := edit.Diffs(changes)
	if strings.Count(diff, "+++ /dev/null\n") != 1001 || strings.Count(diff, "--- /dev/null\n") != 1001 {
		t.Errorf("%d are gone and %d are made", strings.Count(diff, "+++ /dev/null\n"), strings.Count(diff, "--- /dev/null\n"))
	}
}
