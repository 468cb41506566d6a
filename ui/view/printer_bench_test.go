package view_test

import (
	"strings"
	"testing"

	"marvin/ui/view"
)

// BenchmarkPrintedToken measures a token of a long streamed answer.
func BenchmarkPrintedToken(b *testing.B) {
	text := strings.Repeat("Some **bold** text and `code with stars`, long enough to be broken between words, twice.\n\n- an item\n- another one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\nfunc main() {}\n```\n\n", 400)
	b.ReportAllocs()
	var printer *view.Printer
	for i, at := 0, len(text); i < b.N; i++ {
		if at+4 > len(text) {
			printer, at = view.NewPrinter(79, false), 0
		}
		printer.Add(text[at : at+4])
		at += 4
	}
}
