package patch

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

func TestEditResults(t *testing.T) {
	const file, cows = "a\nb\nc\nd\ne\n", "class A\n  def run\n    x\n  def stop\n    x\nclass B\n  def run\n    x\n"
	var text strings.Builder
	result := func(what string, got Result, err error) {
		fmt.Fprintf(&text, "%s\n", what)
		if err != nil {
			fmt.Fprintf(&text, "    error: %s\n", strings.ReplaceAll(err.Error(), "\n", "\n    "))
			return
		}
		fmt.Fprintf(&text, "    %q line %d, %d, mended %q\n", got.Content, got.Line, got.Hunks, got.Mended)
	}
	for _, row := range [][2]string{
		{file, "REPLACE 2\nx"},
		{file, "REPLACE 2 3\nx\ny\nz"},
		{file, "REPLACE 5\nx"},
		{file, "REPLACE 5 6\nx"},
		{file, "REPLACE 2 2\nx"},
		{file, "REPLACE 3 2\nx"},
		{file, "REPLACE 3 1\nx"},
		{file, "REPLACE 1 99999999999999999999\nx"},
		{file, "INSERT 5\nx"},
		{file, "INSERT 6\nx"},
		{file, "INSERT 0\n\n"},
		{file, "INSERT 2 3\nx"},
		{file, "INSERT 2"},
		{file, "insert AFTER 2\nx"},
		{file, "DELETE 5"},
		{file, "DELETE 6"},
		{file, "DELETE 5 2"},
		{file, "DELETE 2 0"},
		{file, "DELETE 2 4\n \n"},
		{file, "\n \nDELETE 1\n---\n\n\nDELETE 3"},
		{file, "---\n---\nDELETE 1\n---"},
		{file, "---\n"},
		{file, "DELETE 1\n---\nnonsense " + strings.Repeat("x", 90)},
		{file, "INSERT 2\nx\n---\nINSERT 2\ny"},
		{file, "DELETE 2 2\n---\nINSERT 2\ny"},
		{file, "DELETE 2 2\n---\nINSERT 1\ny"},
		{file, "DELETE 2 2\n---\nINSERT 3\ny"},
		{"", "REPLACE 1\nx"},
		{"", "INSERT 0\nx"},
		{"a", "INSERT 1\nb"},
		{"\xef\xbb\xbfa\r\nb", "DELETE 2"},
		{"caf\xe9\n", "INSERT 1\né"},
		{file, "@@ -1,2 +1,2 @@\n a\n-b\n+x"},
		{file, "@@ -2,3 +2,2 @@\n b\n-c\n d\n@@ -5 +4,2 @@\n+y\n e"},
		{file, "@@ -5,0 +6 @@\n+x"},
		{file, "@@ -6,0 +7 @@\n+x"},
		{file, "@@ -0,0 +1 @@\n+x"},
		{file, "@@ -9 +9 @@\n-c\n+x"},
		{file, "@@ -9 +9 @@\n-q\n+x"},
		{file, "@@ -1 +1 @@\n-a\n+a1\nnonsense"},
		{file, "@@ -1,2 +1,2 @@\nnonsense\n-b\n+x"},
		{file, "@@ -1,3 +1,3 @@\n a\n-b\n+x\n"},
		{file, "@@ -1,2 +1,2 @@\n a\n-b\n+x\n\n\n"},
		{file, "--- x\nand nothing"},
		{file, "Index: x\n\n@@ no hunk"},
		{file, "@@ -99999999999999999999 +1 @@\n-a\n+x"},
		{file, "@@ -1,99999999999999999999 +1 @@\n-a\n+x"},
		{"x\ny\nx\n", "@@ -2 +2 @@\n-x\n+z"},
		{"x\ny\nx\n", "@@ -1 +1 @@\n-x\n+z"},
		{"a \nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c"},
		{"a\nb", "@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file"},
		{"a\nb", "@@ -2 +2,2 @@\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file"},
		{"a\nb\n", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file"},
		{"a\r\nb\r\n", "@@ -2 +2 @@\n-b\n+c\n\\ No newline at end of file"},
	} {
		got, edits, err := Lines([]byte(row[0]), row[1])
		result(fmt.Sprintf("lines of %q by %q", row[0], row[1]), got, err)
		for _, edit := range edits {
			fmt.Fprintf(&text, "    %d, %d: %q (%s)\n", edit.First, edit.Count, edit.New, edit.Says)
		}
	}
	many := strings.Repeat("def run\n  x\n", maxPlaces+1)
	for _, row := range [][2]string{
		{cows, "@@ class B\n@@ def run\n-    x\n+    y"},
		{cows, "@@ class A\n@@ def stop\n-    x\n+    y"},
		{cows, "@@ class B\n@@ def stop\n-    x\n+    y"},
		{cows, "@@ def run\n-    x\n+    y"},
		{cows, "@@ class\n-    x\n+    y"},
		{many, "@@ def run\n-  x\n+  y"},
		{many[12:], "@@ def run\n-  x\n+  y"},
		{cows, "@@ class A\n@@ def run\n+    new"},
		{cows, "@@ -4,0 +5 @@\n+    new"},
		{cows, "@@ -99,0 +100 @@\n+    new"},
		{cows, "@@\n-class A\n+class C\n@@ -0,0 +1 @@\n+first"},
		{cows, "@@\n-    x\n+    y"},
		{cows, "@@ -5 +5 @@\n-    x\n+    y"},
		{cows, "@@ -4 +4 @@\n-    x\n+    y"},
		{cows, "@@\n-    x\n+    y\n*** End of File"},
		{cows, "@@\n-class A\n+C\n*** End of File"},
		{cows, "@@\n-class B\n+C\n@@\n-class A\n+D"},
		{cows, "@@ class B\n-class A\n+D"},
		{cows, "@@ class B\n-nowhere\n+D"},
		{cows, "@@\n class a\n-  def runn\n+  def rum"},
		{"", "@@\n+a"},
		{"", "@@\n-a\n+b"},
		{"a", "@@\n+b\n*** End of File"},
		{"a\nb\n", "@@\n a\n \n+c\n b"},
		{"a\n\n\nb\n", "@@\n-a\n+A\n\n@@\n-b\n+B"},
		{"if a {\n\tb\n\tif c {\n\t\td\n\t}\n}\n", "@@\n   b\n-  if c {\n+  if e {\n+    f\n     d"},
		{"a\n\tb\n", "@@\n-    b  \n+    c"},
		{"say “a”  \nb\n", "@@\n-say \"a\"\n+say \"b\""},
	} {
		sections, err := parse(begin + "\n*** Update File: f\n" + row[1] + "\n" + end)
		var got Result
		if err == nil {
			got, err = Apply([]byte(row[0]), sections[0].Hunks)
		}
		shown := row[0]
		if len(shown) > 200 {
			shown = fmt.Sprintf("%d times def run", strings.Count(shown, "def run"))
		}
		result(fmt.Sprintf("hunks of %q by %q", shown, row[1]), got, err)
	}
	for _, row := range [][3]string{
		{"a\nb\na\n", "a", "x"},
		{"aXa\n", "aX", "aY"},
		{"“a” “a”\n", "\"a\"", "b"},
		{"“a” b\n", "\"a\" b", "\"a\" c"},
		{"a…b\n", "a...b", "a...c"},
		{"x\u200b\n", "\u200b\u200c", "y"},
		{"a\xe9b c\n", "b  c", "d"},
		{"a b\n", "a\xe9", "d"},
		{"10\u202fkm\n", "10 km", "11 km"},
		{"\ta\n\t\tb\n", "a\n b\n", "c\n d\n"},
		{"  a\n    b\n", "\ta\n\t\tb\n", "\tc\n\t\td\n"},
		{"        a\n", "\ta\n", "\tb\n"},
		{"\ta\n", " a\n", " b\n  c\n"},
		{"a\n\nb\n", "a\n \nb\n", "c\n"},
		{"a\n", " \n", "x"},
		{"a\n", "a \n", "a\n"},
		{"a\nb\n", "a\nb\n", "a\nb\nc\n"},
		{"a\nb\nc\n", "b\n", "\n"},
	} {
		got, err := Replace([]byte(row[0]), row[1], row[2])
		result(fmt.Sprintf("%q in the place of %q in %q", row[2], row[1], row[0]), got, err)
		got, err = ReplaceAll([]byte(row[0]), row[1], row[2])
		result("    all of them", got, err)
	}
	goldentest.Assert(t, "edits.txt", text.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
