package patch

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// shown describes a parsed patch, one section per line.
func shown(sections []Section) string {
	var lines []string
	for _, one := range sections {
		line := map[Action]string{Add: "add ", Update: "update ", Delete: "delete "}[one.Action] + one.Path
		if one.MoveTo != "" {
			line += " → " + one.MoveTo
		}
		if one.Content != "" {
			line += fmt.Sprintf(" %q", one.Content)
		}
		for _, hunk := range one.Hunks {
			line += " @" + strings.Join(hunk.Anchors, "@")
			if hunk.At != nil {
				line += fmt.Sprint(*hunk.At)
			}
			for _, each := range hunk.Lines {
				line += fmt.Sprintf("|%c%s", each.Kind, each.Text)
				if each.bare {
					line += "bare"
				}
			}
		}
		for _, edit := range one.Edits {
			line += fmt.Sprintf(" %q→%q", edit.Old, edit.New)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// A patch in any form is parsed to a list of changes to files.
func TestPatchesOfEveryForm(t *testing.T) {
	const hunk = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
	for _, row := range []struct{ name, patch, want string }{
		{"diff -u", "--- a.txt\t2020-01-01 00:00\n+++ a.txt\t2020-01-02\n" + hunk, "update a.txt @1| a|-b|+c| bare"},
		{"git", "diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n" + hunk, "update x.go @1| a|-b|+c| bare"},
		{"no names", hunk, "update given @1| a|-b|+c| bare"},
		{"two hunks", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n@@ -9 +9 @@ func f\n-z\n+Z", "update x @1|-a|+A @9|-z|+Z"},
		{"two files", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-b\n+B", "update x @1|-a|+A\nupdate y @1|-b|+B"},
		{"svn", "Index: x\n=====\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+A\nIndex: y\n=====\n--- y\n+++ y\n@@ -1 +1 @@\n-b\n+B", "update x @1|-a|+A\nupdate y @1|-b|+B"},
		{"prose and a fence around", "Here it is:\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n```\nDone", "update x @1|-a|+A"},
		{"quoted names", "--- \"a/\\303\\244 b\"\n+++ \"b/\\303\\244 b\"\n@@ -1 +1 @@\n-a\n+A", "update ä b @1|-a|+A"},
		{"a quote that is none", "--- a/\"x\n+++ b/\"x\n@@ -1 +1 @@\n-a\n+A", "update \"x @1|-a|+A"},
		{"a directory a", "--- a/x\n+++ a/x\n@@ -1 +1 @@\n-a\n+A", "update a/x @1|-a|+A"},
		{"a new file", "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n", "add x \"a\\nb\\n\""},
		{"a new file without an end", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file", "add x \"a\""},
		{"a new file without an end and a blank line", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n", "add x \"a\""},
		{"a new file that is empty", "diff --git a/x b/x\nnew file mode 100644\nindex 0..1", "add x"},
		{"a file that goes", "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a", "delete x @1|-a"},
		{"an empty file that goes", "diff --git a/x b/x\ndeleted file mode 100644", "delete x"},
		{"a rename", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y", "update x → y"},
		{"a rename and a change", "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+A", "update x → y @1|-a|+A"},
		{"names by git alone", "diff --git a/x y b/x y\n@@ -1 +1 @@\n-a\n+A", "update x y @1|-a|+A"},
		{"lines that look like names", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- was\n+++ is\n a", "update x @1|--- was|+++ is| a"},
		{"the end of a mail", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n-- \n2.39.2\n\n+ said behind it", "update x @1|-a|+A"},
		{"the end of a mail without its blank", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n--\n2.39.2", "update x @1|-a|+A"},
		{"two mails", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n-- \n2.39.2\n\nFrom 1\nSubject: y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-b\n+B\n-- \n2.39.2", "update x @1|-a|+A\nupdate y @1|-b|+B"},
		{"Codex's without an envelope", "*** Delete File: x", "delete x"},
		{"Codex's in a fence", "```\n*** Add File: x\n+a\n```", "add x \"a\\n\""},
		{"blocks", "x.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "update x.go \"a\\n\"→\"b\\n\""},
		{"blocks of dashes", "x.go\n------- SEARCH\na\n=======\n+++++++ REPLACE", "update x.go \"a\\n\"→\"\""},
		{"a block of the file that is given", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "update given \"a\\n\"→\"b\\n\""},
		{"a block in a fence with the name above", "`d/x.go`:\n```go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```", "update d/x.go \"a\\n\"→\"b\\n\""},
		{"several of one file", "x.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nand then\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE", "update x.go \"a\\n\"→\"b\\n\" \"c\\n\"→\"d\\n\""},
		{"several of two files", "x.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n**y.go**\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE", "update x.go \"a\\n\"→\"b\\n\"\nupdate y.go \"c\\n\"→\"d\\n\""},
		{"a new file as a block", "x.go\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nb\n=======\nc\n>>>>>>> REPLACE", "add x.go \"b\\n\"\nupdate x.go \"b\\n\"→\"c\\n\""},
		{"prose before a block", "Change it like this, please.\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "update given \"a\\n\"→\"b\\n\""},
		{"a word before a block", "Dockerfile\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "update given \"a\\n\"→\"b\\n\""},
	} {
		sections, err := Read(row.patch, "given")
		if got := shown(sections); err != nil || got != row.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", row.name, err, got, row.want)
		}
	}
}

// If the file name is needed, the line before a block is accepted as a name more easily.
func TestTheNameBeforeABlock(t *testing.T) {
	for before, want := range map[string]string{
		"Dockerfile": "Dockerfile", "# my file.txt": "my file.txt", "x.go:": "x.go", "a/b": "a/b", "\n\n x.go \n\n```go\n": "x.go", "```x.go": "x.go",
		"Change it so": "", "Do this. Then that": "", "``": "", "": "", "x.go\nand so": "",
	} {
		sections, err := Read(before+"\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "")
		if got := shown(sections); want == "" && !errors.Is(err, ErrFormat) || want != "" && (err != nil || got != "update "+want+" \"a\\n\"→\"b\\n\"") {
			t.Errorf("%q: %s, %v", before, got, err)
		}
	}
}

func TestPatchesOfEveryFormThatAreRefused(t *testing.T) {
	const names = "--- a/x\n+++ b/x\n"
	for _, row := range []struct{ name, patch, says string }{
		{"nothing", "change it", "it has none of the three forms: *** Begin Patch, a unified diff (---, +++, @@), or <<<<<<< SEARCH"},
		{"a binary file", "diff --git a/x b/x\nGIT binary patch\n", "a binary file cannot be patched"},
		{"another binary file", "diff --git a/x b/x\nBinary files a/x and b/x differ\n", "a binary file cannot be patched"},
		{"lines of no hunk", names + "@@ -1 +1 @@\n-a\n+A\nIndex: y\n+B\n", `this line belongs to no hunk: "+B"`},
		{"removed lines of no hunk", names + "@@ -1 +1 @@\n-a\n+A\nIndex: y\n-B\n", `this line belongs to no hunk: "-B"`},
		{"no hunk", names, "there is no hunk (@@) for x"},
		{"no file", "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+A", "the diff does not say which file it changes. Write --- a/path and +++ b/path before its hunks, or give \"path\""},
		{"names that differ", "diff --git a/x b/yy\n@@ -1 +1 @@\n-a\n+A", "does not say which file it changes"},
		{"a new file with an old line", "--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+A", "x is a new file, but the diff contains lines of an old version"},
		{"a hunk that changes nothing", names + "@@ -1 +1 @@\n a\n", "the hunk at line 3 of the patch has no line that begins with + or -"},
		{"a line without a sign", names + "@@ -1 +1 @@\na\n", `a line of a hunk must begin with a space, + or -, but this line is "a"`},
		{"two dividers", "x.go\n<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE", "the block has two ======= lines, so its halves are ambiguous. Use old_str and new_str"},
		{"a block in a block", "x.go\n<<<<<<< SEARCH\na\n<<<<<<< SEARCH\n", "the block that starts at line 2 has no >>>>>>> REPLACE before the next block begins"},
		{"a block without an end", "x.go\n<<<<<<< SEARCH\na\n=======\nb\n", "the block has no ======= or >>>>>>> REPLACE line, so it was probably cut off; nothing was done. Send all of it"},
		{"a block without a middle", "x.go\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", "the block has no ======= or >>>>>>> REPLACE line"},
		{"a block without a file", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "write the path of the file on the line before the block, or give \"path\""},
	} {
		if sections, err := Read(row.patch, ""); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %s, %v; want %q", row.name, shown(sections), err, row.says)
		}
	}
}

func TestEveryPlaceIsReplaced(t *testing.T) {
	for _, row := range []struct {
		file, old, new, want string
		line, hunks          int
	}{
		{"a b a\nb\n", "a", "x", "x b x\nb\n", 1, 2},
		{"1\na\r\nb\r\na\nb\nend", "a\nb\n", "x\ny\n", "1\nx\r\ny\r\nx\ny\nend", 2, 2},
		{"\xef\xbb\xbfa\r\na", "a", "x\nx", "\xef\xbb\xbfx\r\nx\r\nx\r\nx", 1, 2},
		{"aaa", "aa", "b", "", 0, 0},
		{"aaaa", "aa", "b", "bb", 1, 2},
		{"a\n", "a", "b", "b\n", 1, 1},
		{"ab\nab\n", "a", "", "b\nb\n", 1, 2},
	} {
		result, err := ReplaceAll([]byte(row.file), row.old, row.new)
		if (err != nil) != (row.want == "") || string(result.Content) != row.want || result.Line != row.line || result.Hunks != row.hunks {
			t.Errorf("%q in %q: %q, line %d, %d places, %v", row.old, row.file, result.Content, result.Line, result.Hunks, err)
		}
	}
	for says, row := range map[string][3]string{"two encodings": {"a\xe9a", "a", "é"}, "the first half of a character": {"a \x81a a", "a", "b"}, "is empty": {"a a", "", "b"}, "the same": {"a a", "a", "a"}} {
		if result, err := ReplaceAll([]byte(row[0]), row[1], row[2]); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %q, %v; want %q", row[0], result.Content, err, says)
		}
	}
}

func TestMissingTextError(t *testing.T) {
	long := strings.Repeat("x", 300)
	fifteen := strings.Repeat("Line\n", 15)
	for _, row := range []struct{ name, file, old, new, says string }{
		{"done", "a\nbcde\n", "q", "bcde", "But the new text is already at line 2, so the edit has probably been made."},
		{"white space", "\ta  b\nc\n", "a b\nd", "", "The nearest lines are:\n1. →\ta  b\n(→ marks a tab)\nQuote the file exactly, with its white space."},
		{"case", "x\n\tAb\n", "ab", "q", "At line 2, only case is different. The file has:\n2. →\tAb\n(→ marks a tab)"},
		{"case of many lines", fifteen, strings.Repeat("line\n", 14), "q", "At line 1, only case is different. The file has:\n" + strings.Join(numberedLines("Line", 12), "\n") + "\n… 2 more lines"},
		{"a long line", "A" + long + "\n", "a" + long, "q", "At line 1, only case is different. The file has:\n1. A" + long[1:] + "…"},
		{"a line that is not too long", "A" + long[1:] + "\n", "a" + long[1:], "q", "At line 1, only case is different. The file has:\n1. A" + long[1:]},
		{"like three lines", "abcd1\nzzzz\nabcd2\nabcd3\nabcde\n", "abcde5\n", "q", "The nearest lines are:\n1. abcd1\n3. abcd2\n5. abcde\nQuote the file exactly, with its white space."},
		{"like half", "abcd\n", "abcxyzw", "q", "No line is similar: read the file again and quote the line exactly."},
		{"just like half", "abc\n", "abxbc", "q", "The nearest lines are:\n1. abc\nQuote the file exactly, with its white space."},
		{"blank lines", "a\n", "\n \n\n", "q", "No line is similar: read the file again and quote the line exactly."},
	} {
		_, err := Replace([]byte(row.file), row.old, row.new)
		if want := "the text to replace is not in the file. " + row.says; err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", row.name, err, want)
		}
	}
	for count, want := range map[int]string{1: "line 1", 2: "lines 1 and 2", 10: "lines 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10", 11: "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 1 more", 12: "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more"} {
		numbers := make([]int, count)
		for i := range numbers {
			numbers[i] = i + 1
		}
		if got := lineNumbers(numbers); got != want {
			t.Errorf("%d lines: %s", count, got)
		}
	}
}

func numberedLines(line string, count int) (rows []string) {
	for n := range count {
		rows = append(rows, fmt.Sprintf("%d. %s", n+1, line))
	}
	return rows
}

func TestAWholePatchIsOneFromItsFirstLineToItsLast(t *testing.T) {
	whole := begin + "\n*** Delete File: x\n" + end
	for body, want := range map[string]bool{whole: true, " \n" + whole + "\n ": true, "a\n" + whole: false, whole + "\nb": false, begin + end: false, begin + "\n" + end: true, "": false} {
		if IsPatch(body) != want {
			t.Errorf("%q is whole: %v", body, !want)
		}
	}
}
