package view_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"marvin/ui/view"
)

func TestCutKeepsWhatFits(t *testing.T) {
	clusters := []string{"a", "b", " ", "é", "é", "漢", "👩‍👩‍👧", "🇩🇪", "\t", "\x01", "\u200b", "\xff", "ﷺ", "1️⃣", "~", "\x7f"}
	for range 20_000 {
		var made strings.Builder
		for range rand.IntN(12) {
			made.WriteString(clusters[rand.IntN(len(clusters))])
		}
		text, width := made.String(), rand.IntN(14)-1
		if got, want := view.Width(text), uniseg.StringWidth(text); got != want {
			t.Fatalf("%q is %d wide, not %d", text, got, want)
		}
		if got, want := view.Cut(text, width), cut(text, width); got != want {
			t.Fatalf("%q in %d is %q, not %q", text, width, got, want)
		}
	}
}

// cut is a slow reference implementation.
func cut(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	var kept strings.Builder
	used := 0
	for graphemes := uniseg.NewGraphemes(text); graphemes.Next(); {
		if used += graphemes.Width(); used > width-1 {
			break
		}
		kept.WriteString(graphemes.Str())
	}
	if width > 0 {
		kept.WriteString("…")
	}
	return kept.String()
}
