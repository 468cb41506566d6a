package view_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"marvin/ui/view"
)

// printedIn returns the printed form of a text that arrives in pieces of this many bytes.
func printedIn(text string, width, size int, listed bool) string {
	printer := view.NewPrinter(width, listed)
	var paper strings.Builder
	begun := false
	show := func(rows []view.Line, goesOn bool) {
		for i, row := range rows {
			if begun && (i > 0 || !goesOn) {
				paper.WriteByte('\n')
			}
			begun = true
			paper.WriteString(row.String())
		}
	}
	for text != "" {
		size := min(size, len(text))
		show(printer.Add(text[:size]))
		text = text[size:]
	}
	show(printer.End())
	return paper.String()
}

// setAs returns the rows of the full screen without the margin.
func setAs(text string, width int) string {
	var rows []string
	for _, line := range view.Markdown(text, width+2) {
		if len(line) > 0 {
			line = line[1:]
		}
		rows = append(rows, strings.TrimRight(line.String(), " "))
	}
	return strings.Join(rows, "\n")
}

var printedTexts = []string{
	answer,
	"One *word* and **two of them**, `code * here`, [a link](https://example.org/a_b) and https://example.org/x_y_z, 2 * 3 * 4 and a_b_c.\n\nThe end.",
	"Look:\n\n| a | second |\n|---|:--|\n| **1** | two words |\n| 3 | four |\n\nbehind it",
	"| only | this |\n|---|---|\n| a | b |",
	"1. one\n2. two\n3. three\n4. four\n5. five\n6. six\n7. seven\n8. eight\n9. nine\n10. ten\n11. eleven is long enough to need two rows\n",
	"- [ ] to do\n- [x] done and *dusted*\n- a list\n  - in a list\n\n  ```sh\n  ls\n  }\n  cd ..\n  ```\n- and on",
	"Title\n=====\n\ntext with a [^1] note\n\n---\n\n> said **she**,\n> and went\n\n[^1]: below *all*\n\nlast words",
	"```python\ndef f():\n    return '''a\n    **b** | c'''\n\n\n# end\n```\n\nand `open\n\nnext * paragraph ** with [brackets and < signs\n\nend",
	"A **bold text\nthat goes on** here\n## Head\nbelow &amp; \\*no star\\* it\n***\n日本語のテキストは **どこ** でも折り返せる\n",
	"a [b <c] (d> e) f](g) <h [i> j] k (l [m) n](o) and ![p [q] r](s) end, [t](u (v) w) x",
	"    indented\n\n<div>\nhtml\n</div>\n\nafter\n",
}

// numbers matches list numbers, which are not indented while the width of the last number is
// unknown.
var numbers = regexp.MustCompile(`(?m)^ (\d\. )`)

func TestStreamedMarkdownMatchesScreen(t *testing.T) {
	for _, text := range printedTexts {
		for _, width := range []int{20, 60} {
			want := numbers.ReplaceAllString(setAs(text, width), "$1")
			for size := 1; size < 12; size++ {
				if got := numbers.ReplaceAllString(printedIn(text, width, size, false), "$1"); got != want {
					t.Errorf("in pieces of %d, %d columns:\n%s\n-- not\n%s", size, width, got, want)
					break
				}
			}
		}
	}
}

func TestEachSignBesideAMarkIsPrintedAsOnTheScreen(t *testing.T) {
	for sign := '!'; sign <= 'ÿ'; sign++ {
		if sign > '~' && sign < '¡' {
			continue
		}
		for _, mark := range []string{"*", "_", "**", "__", "~~", "`"} {
			if sign == '\\' && mark == "`" {
				continue // unknown before the end: see the test below
			}
			text := fmt.Sprintf("a %[1]c%[2]sb%[2]s%[1]c %[2]s%[1]cd%[2]s end", sign, mark)
			want := setAs(text, 60)
			for size := 1; size < 4; size++ {
				if got := printedIn(text, 60, size, false); got != want {
					t.Errorf("%q in pieces of %d is printed as\n%s\nnot as\n%s", text, size, got, want)
				}
			}
		}
	}
}

func TestNothingIsLostOfWhatIsPrintedInPieces(t *testing.T) {
	parts := []string{
		"word ", "*", "**", "_", "`", "```", "~~~", "~~", "[", "](x)", "]", "<", ">", "<b>", "|", "| a | b |\n", "|---|---|\n", "\n", "\n\n", "- ", "1. ", "# ", "> ", "    ", "\\", "&amp; ", "[^1]", "[^1]: note\n", "===\n", "---\n", "- [x] ", "日本 ", "two words ", ". ", ", ",
	}
	letters := func(text string) string {
		return strings.Map(func(char rune) rune {
			if unicode.IsLetter(char) || unicode.IsDigit(char) {
				return char
			}
			return -1
		}, text)
	}
	random := rand.New(rand.NewPCG(20, 1))
	for range 4000 {
		var text string
		for range 1 + random.IntN(14) {
			text += parts[random.IntN(len(parts))]
		}
		if got, want := letters(printedIn(text, 30, 1+random.IntN(7), false)), letters(setAs(text, 30)); got != want {
			t.Errorf("%q is printed as %q, not as %q", text, got, want)
		}
	}
}

func TestATextThatWasPrintedOtherwiseFollowsAsItWasWritten(t *testing.T) {
	for text, size := range map[string]int{
		"- >- [x] 日本 \\, 1. |---|---|\n    ": 3, "1. > - [x] | a | b |\n\n\n\n\n\n": 4, ". . . `](x)&amp; - [x] **| a | b |\n`": 7,
	} {
		got := printedIn(text, 60, size, false)
		for line := range strings.Lines(text) {
			if !strings.Contains(got, strings.TrimRight(line, " \n")) {
				t.Errorf("%q is printed as %q", text, got)
			}
		}
	}
}

func TestScreenReaderTables(t *testing.T) {
	const text = "Look:\n\n| name | size |\n|---|---|\n| **a** | 1 |\n| b | 2 |\n\n```go\nx := 1\n```\n---\n> said\n> > twice\n\n- end\n"
	const want = "Look:\n\nname: a\nsize: 1\n\nname: b\nsize: 2\n\nx := 1\n> said\n> > twice\n\n• end"
	for size := 1; size < 9; size++ {
		if got := printedIn(text, 60, size, true); got != want {
			t.Errorf("in pieces of %d they hear\n%s", size, got)
		}
	}
}
