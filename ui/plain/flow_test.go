package plain

import (
	"strings"
	"testing"
)

func flowing(width int, text string, size int) string {
	f := flow{width: width}
	var out strings.Builder
	for text != "" {
		n := min(size, len(text))
		out.WriteString(f.feed(text[:n]))
		text = text[n:]
	}
	return out.String() + f.rest()
}

func TestLinesBreakBetweenWords(t *testing.T) {
	for text, want := range map[string]string{
		"The quick brown fox jumps over it.\n":                                    "The quick brown fox\njumps over it.\n",
		"one\n\ntwo  three \n":                                                    "one\n\ntwo  three\n",
		"- an item that is longer than the line\n":                                "- an item that is\n  longer than the\n  line\n",
		"  - a nested item that is long\n":                                        "  - a nested item\n    that is long\n",
		"averyveryveryverylongword that is wider\n":                               "averyveryveryverylongword\nthat is wider\n",
		"```\ncode stays as wide as it is here\n```\nprose goes on and on here\n": "```\ncode stays as wide as it is here\n```\nprose goes on and on\nhere\n",
		"| a table | has cells | and stays |\n":                                   "| a table | has cells | and stays |\n",
		"    indented code stays as it is too\n":                                  "    indented code stays as it is too\n",
		"exactly twenty, wide\n":                                                  "exactly twenty, wide\n",
		"exactly twenty-one, x\n":                                                 "exactly twenty-one,\nx\n",
		"no end of the line":                                                      "no end of the line",
	} {
		for _, size := range []int{1, 3, 1000} {
			if got := flowing(21, text, size); got != want {
				t.Errorf("in pieces of %d: %q, want %q", size, got, want)
			}
		}
	}
	if text := "as wide as it comes, since nobody said how wide\n"; flowing(0, text, 5) != text {
		t.Error("a pipe gets other lines than were written")
	}
}
