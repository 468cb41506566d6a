package tui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// What a terminal says of itself is taken out of what is typed, also where it comes in parts,
// between keys, cut short or not as it should; the rest arrives as it came.
func TestWhatATerminalSaysOfItself(t *testing.T) {
	long := "\x1b]11;" + strings.Repeat("x", longestAnswer)
	var told strings.Builder
	for _, parts := range [][]string{
		{"plain"},
		{"a\x1b[A"},
		{"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"},
		{"\x1b]11;rgb:1e1e/1e1e/2e2e\a"},
		{"ab\x1b]11;rgb:ff/ff/00\x1b\\cd"},
		{"\x1b]11;rgb:f/0/8\a"},
		{"\x1b]11;rgba:ffff/8000/0000/ffff\a"},
		{"\x1b]11;rgb:123/fff/000\a"},
		{"\x1b]11;rgb:ffff/ffff\a"},
		{"\x1b]11;rgb:zz/00/00\a"},
		{"\x1b]11;rgb:fffff/0/0\a"},
		{"\x1b]11;rgb:/0/0\a"},
		{"\x1b]11;?\a"},
		{"\x1b]11;\x1b\\x"},
		{"\x1b]11;rgb:1e", "1e/1e1e/2e2e\x1b\\x"},
		{"k\x1b]11;rgb:0/0/0", "\aq"},
		{"\x1b]11;rgb:0/0/0\x1b", "\\q"},
		{long, "\a"},
		{long + "x", "\a"},
		{"\x1b]11;rgb:0/0/0\ab\x1b\\"},
		{"\x1b]11;rgb:0/0/0\x1b\\b\a"},
		{"\x1b[?62;4c"},
		{"\x1b[?4;6c"},
		{"\x1b[?62;22c"},
		{"\x1b[?62;44c"},
		{"\x1b[?c"},
		{"x\x1b[?62;4;22cy"},
		{"\x1b[?62;", "4c"},
		{"\x1b[?", "62;4", "c."},
		{"\x1b[?1u\x1b[?62;4c"},
		{"\x1b[?2026;2$y"},
		{"\x1b[?" + strings.Repeat("1;", 40), "4c"},
		{"\x1b]11;rgb:0/0/0\a\x1b[?62;4cz"},
		{"\x1b]11;rgb:0/0", "/0\a\x1b[?62", ";4cz"},
	} {
		k := &keyboard{answers: make(chan answer, 2)}
		fmt.Fprintf(&told, "%q", parts)
		for _, part := range parts {
			fmt.Fprintf(&told, " %q", k.answered([]byte(part)))
		}
		for range len(k.answers) {
			said := <-k.answers
			if said.ground != nil {
				fmt.Fprintf(&told, " ground %06x", uint32(*said.ground))
			} else {
				fmt.Fprintf(&told, " sixels %v", said.sixels)
			}
		}
		told.WriteString("\n")
	}
	goldentest.Hold(t, "answers.golden", told.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
