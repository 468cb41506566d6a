package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPrinterKeepsEndOfOutput(t *testing.T) {
	var all strings.Builder
	for n := range 100000 {
		fmt.Fprintln(&all, n+1)
	}
	p := newPrinted()
	for piece := range slices.Chunk([]byte(all.String()), 32<<10) {
		if n, err := p.Write(piece); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	told := p.lines()
	if _, err := p.Write([]byte("last")); err != nil {
		t.Fatal(err)
	}
	notice, shown, _ := strings.Cut(told+p.rest(), "\n")
	lost := 0
	if _, err := fmt.Sscanf(notice, "[… %d bytes left out …]", &lost); err != nil {
		t.Fatalf("%q: %v", notice, err)
	}
	if whole := all.String() + "last"; shown != whole[lost:] || whole[lost-1] != '\n' || len(told) > 64<<10+len(notice)+1 || len(shown) < 63<<10 {
		t.Errorf("%d bytes are left out, and %d shown: %.40q … %q", lost, len(shown), shown, shown[max(len(shown)-40, 0):])
	}
}
