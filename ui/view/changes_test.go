package view_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/ui/view"
)

func TestDiffRows(t *testing.T) {
	const head = "--- a/x.go\n+++ b/x.go\n"
	var all strings.Builder
	for _, text := range []string{
		head + "@@ -1,4 +1,5 @@ func f() {\n a := 1 /* begins\n-old comment */ b := 2\n+new comment\n+ends */ b := \"x\"\n return\n-\n+// done\n",
		head + "@@ -1,12 +1,3 @@\n one\n-two\n[… 9 lines left out; marvin has them all …]\n+3\n",
		"--- a/x.txt\n+++ b/x.txt\n@@ -1 +1,3 @@\n-one\n+one and two\n+three\n+four\n@@ -9,0 +12 @@\n+nine\n@@ -20,2 +0,0 @@\n-twenty\n-more\n\\ No newline at end of file\n",
		"--- a/old.py\t2026\n+++ b/new.py\t2026\n@@ -1,2 +1,2 @@\n def f(a): # same\n-    return \"one two three four\"\n+    return \"one 2 three 4\"\n",
		"--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,2 @@\n+package n\n+\n", "--- a/o.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package o\n",
		head + "@@ odd @@\n+x\n", head + "@@ -1 @@\n+x\n", head + "@@ -99998,3 +99999,3 @@\n a\n-b\n+c\n d\n", "no change at all\nof two lines", "", head,
		head + "@@ -1,2 +1,2 @@\n-" + strings.Repeat("long ", 30) + "\n+" + strings.Repeat("long ", 29) + "short\n 日本語\n",
	} {
		for _, width := range []int{40, 150} {
			fmt.Fprintf(&all, "== %q in %d\n%s", text, width, drawing(view.DiffRows(text, width)))
		}
		fmt.Fprintf(&all, "== words\n%s", drawing(view.ChangedWords(text)))
	}
	goldentest.Assert(t, "changes.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// Omitted lines of a hunk are counted if only one side can contain them, except if that side would
// then be empty.
func TestNumbersBehindWhatWasLeftOut(t *testing.T) {
	for body, want := range map[string]string{ // of @@ -10,6 +20,1 @@
		"-a\n+b\n[… 2 lines left out …]\n-c\n": "13    - c",
		"-a\n+b\n[… 4 lines left out …]\n-c\n": "15    - c",
		"-a\n+b\n[… 5 lines left out …]\n-c\n": "- c",
		"-a\n+b\n[… x lines left out …]\n-c\n": "- c",
		"-a\n[… 2 lines left out …]\n-c\n":     "- c",
	} {
		rows := view.DiffRows("--- a/x\n+++ b/x\n@@ -10,6 +20,1 @@\n"+body, 60)
		if got := strings.TrimSpace(rows[len(rows)-1].String()); got != want {
			t.Errorf("%q ends with %q, want %q", body, got, want)
		}
	}
}
