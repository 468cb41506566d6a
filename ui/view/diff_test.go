package view

import (
	"math/rand/v2"
	"strings"
	"testing"
)

const change = "--- a/x.go\n+++ b/x.go\n@@ -9,3 +9,4 @@ func f() {\n \ta := 1\n-\tb := old(a, 2)\n+\tb := new(a, 2)\n+\tc := 3\n \treturn\n"

func TestADiffHasNumbersAndWords(t *testing.T) {
	rows := diffRows(change, 80)
	var text strings.Builder
	for _, row := range rows {
		text.WriteString(row.String() + "\n")
	}
	want := "x.go\n… func f() {\n 9  9       a := 1\n10    -     b := old(a, 2)\n   10 +     b := new(a, 2)\n   11 +     c := 3\n11 12       return\n"
	if text.String() != want {
		t.Errorf("it is\n%s, not\n%s", text.String(), want)
	}
	for row, word := range map[int]Span{3: {Role: RemovedWord, Text: "old"}, 4: {Role: AddedWord, Text: "new"}} {
		found := false
		for _, span := range rows[row] {
			found = found || span == word
			if (span.Role == AddedWord || span.Role == RemovedWord) && span != word {
				t.Errorf("row %d marks %q", row, span.Text)
			}
		}
		if !found {
			t.Errorf("row %d does not mark %q: %v", row, word.Text, rows[row])
		}
	}
	if rows[4][0].Role != AddedGround || rows[3][0].Role != RemovedGround || rows[6][len(rows[6])-1] != (Span{Role: Keyword, Text: "return"}) {
		t.Errorf("%v", rows)
	}
}

func TestADiffInTwoColumns(t *testing.T) {
	rows := diffRows(change, 143)
	for row, sides := range map[int][2]string{2: {" 9       a := 1", " 9       a := 1"}, 3: {"10 -     b := old(a, 2)", "10 +     b := new(a, 2)"}, 4: {"", "11 +     c := 3"}} {
		left, right, _ := strings.Cut(rows[row].String(), " │ ")
		if strings.TrimRight(left, " ") != sides[0] || right != sides[1] || Width(left) != 70 {
			t.Errorf("row %d is %q and %q", row, left, right)
		}
	}
}

func TestDiffHeadsAreReadable(t *testing.T) {
	for text, want := range map[string]string{
		"--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n":       "x.go\n1   - a\n  1 + b\n…\n9   - c\n  9 + d\n",
		"--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+n\n":                          "n.txt (new)\n  1 + n\n",
		"--- a/o.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-o\n":                          "o.txt (deleted)\n1   - o\n",
		"--- a/o.txt\n+++ b/n.txt\n@@ -1 +1 @@ in\n-o\n+n\n":                       "o.txt → n.txt\n… in\n1   - o\n  1 + n\n",
		"--- a\n+++ a\n@@ -1 +1 @@\n--- x\n+++ y\n--- b\n+++ b\n@@ -1 +1 @@\n-q\n": "a\n1   - -- x\n  1 + ++ y\nb\n1   - q\n",
		"--- alone\n@@ no hunk\n":                                                  "--- alone\n@@ no hunk\n",
	} {
		var got strings.Builder
		for _, row := range diffRows(text, 60) {
			got.WriteString(row.String() + "\n")
		}
		if got.String() != want {
			t.Errorf("%q is\n%s, not\n%s", text, got.String(), want)
		}
	}
}

// For any text, no cell is lost and no row is too wide; a minus outside a hunk is text.
func TestAnyTextAsADiff(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"@@ -1,3 +1,3 @@", "@@ -1 +1 @@", "@@ -x +y", "@@ -1,99999999999999999999 +1 @@", "--- a", "+++ b/x.go", "-old words here", "+new words here", " same", "", "-", "+", "日本語 text", "-日本", "+日x本", "\ttab"}
	for range 2000 {
		var lines []string
		for range random.IntN(12) {
			lines = append(lines, pieces[random.IntN(len(pieces))])
		}
		for _, width := range []int{20, 30, 140} {
			for _, row := range diffRows(strings.Join(lines, "\n"), width) {
				if row.Width() > max(width, 20) {
					t.Fatalf("%q: %d cells: %q", lines, row.Width(), row)
				}
			}
		}
	}
	for _, pair := range [][2]string{{"a b c", "a x c"}, {"", "x"}, {"über alles", "unter alles"}, {strings.Repeat("w ", 1000), "w"}} {
		gone, came, _ := differences(wordsOf(pair[0]), wordsOf(pair[1]))
		for text, list := range map[string][]stretch{pair[0]: gone, pair[1]: came} {
			line := Line{{Role: Plain, Text: text[:len(text)/2]}, {Role: Keyword, Text: text[len(text)/2:]}}
			if got := withRole(line, list, AddedWord).String(); got != text {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
	if rows := diffRows("-1 is a number\n+2 too", 40); rows[0].String() != "-1 is a number" || len(rows) != 2 {
		t.Errorf("%v", rows)
	}
}

func TestBehindWhatWasLeftOutNoNumberIsWrong(t *testing.T) {
	show := func(body string) string {
		text := ""
		for _, row := range diffRows(body, 60) {
			text += strings.TrimRight(row.String(), " ") + "\n"
		}
		return text
	}
	if got, want := show("--- /dev/null\n+++ b/x\n@@ -0,0 +1,100 @@\n+a\n+b\n[… 97 lines left out …]\n+z\n"),
		"x (new)\n      1 + a\n      2 + b\n[… 97 lines left out …]\n    100 + z\n"; got != want {
		t.Errorf("a new file:\n%s\nwant\n%s", got, want)
	}
	if got, want := show("--- a/x\n+++ b/x\n@@ -5,100 +5,101 @@\n a\n+b\n[… 9 bytes left out …]\n c\n-d\n+e\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-f\n+g\n"),
		"x\n5 5   a\n  6 + b\n[… 9 bytes left out …]\n      c\n    - d\n    + e\ny\n1   - f\n  1 + g\n"; got != want {
		t.Errorf("a change:\n%s\nwant\n%s", got, want)
	}
}
