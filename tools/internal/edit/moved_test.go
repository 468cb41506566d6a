package edit_test

import (
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
		"nothing in it":   {[]box.Change{{Name: "x", Before: []byte{}}, {Name: "y", After: []byte{}}}, ""},
		"an update stays": {[]box.Change{{Name: "x", Before: old, After: changed}}, "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+D\n"},
	} {
		if got := edit.Diffs(row.changes); got != row.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, row.want)
		}
	}
}
