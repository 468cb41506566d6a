package view_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"marvin/messages"
	"marvin/ui/view"
)

// For any text at any width, there is no panic, no row is wider than the screen, and the rows do
// not depend on how the text was split.
func FuzzLayout(f *testing.F) {
	f.Add(answer, 20, 7)
	f.Add("```\n\tcode 日本語 👨‍👩‍👧\n~~~\n```\n- **a**\n", 6, 3)
	f.Add("\x1b[31m`x`**y\n\n1. \n", 300, 1)
	f.Add("x\n|a|b|\n|:-|-:|\n|`\\|`|日本|\n\n> - [x] q\n>   ```py\n>   \"\"\"\n\n***\n<b>~~s~~ [l](u) &#27;\\*\n#\nh\n---\n    c\n", 20, 3)
	f.Add(strings.Repeat("a line of text\n", 200)+"a|b\n-|-\n1|2\n", 20, 13)
	f.Add(strings.Repeat("- an item with *text*\n  ```\n  x\n  ```\n", 110)+"\ntext\n===\n", 20, 13)
	f.Add("a[^1]\n[^1]: b\nlazy\n\n[^2]:\n\n    c\n\n\td\n> [^3]: q\n\n- [^4]: r\n  [^n]\n[^5]: |a|\n\n```\nx\n```\nend[^5]\n", 20, 2)
	f.Fuzz(func(t *testing.T, text string, width, piece int) {
		if len(text) > 6000 || !utf8.ValidString(text) {
			t.Skip()
		}
		width, piece = 6+max(width, -width)&0xff, 1+max(piece, -piece)&0x1f
		whole, pieces := shown(messages.Text{Chunk: text}), shown()
		var window view.Window
		for rest := []rune(text); len(rest) > 0; {
			n := min(piece, len(rest))
			pieces.Apply(messages.Envelope{Event: messages.Text{Chunk: string(rest[:n])}})
			window.Show(pieces.Blocks, width, 5, start)
			rest = rest[n:]
		}
		rows := (&view.Window{}).Show(whole.Blocks, width, 1<<20, start)
		for _, row := range rows {
			if row.Width() > width {
				t.Fatalf("%q is %d cells wide, not %d", row, row.Width(), width)
			}
		}
		if got, want := drawing(window.Show(pieces.Blocks, width, 1<<20, start)), drawing(rows); got != want {
			t.Fatalf("in pieces:\n%s\nwhole:\n%s", got, want)
		}
	})
}
