package hidden

import (
	"fmt"
	"testing"
)

func TestHiddenTextEnds(t *testing.T) {
	for _, row := range []struct {
		r, before rune
		want      unseen
	}{
		{0xE0000, 'a', carrying},
		{0xE0FFF, 'a', carrying},
		{0xE1000, 'a', plainly},
		{0xDFFFF, 'a', plainly},
		{0xFE00, 'a', carrying},
		{0xFE0F, 'a', carrying},
		{0xFDFF, 'a', plainly},
		{0xFE10, 'a', plainly},
		{0xFE0F, 0x2764, plainly},
		{0x180B, 'a', carrying},
		{0x180F, 'a', carrying},
		{0x180A, 'a', plainly},
		{0x1810, 'a', plainly},
		{0x180B, 0x1820, plainly},
		{'\n', 'a', plainly},
		{'\t', 'a', plainly},
		{' ', 'a', plainly},
		{'~', 'a', plainly},
		{0x7F, 'a', steering},
		{0x1F, 'a', steering},
		{0x9F, 'a', steering},
		{0x2028, 'a', ordering},
		{0x2029, 'a', ordering},
		{0x202E, 'a', ordering},
		{0x2800, 'a', carrying},
		{0x2801, 'a', plainly},
	} {
		if got := look(row.r, row.before); got != row.want {
			t.Errorf("%s behind %q: %d, not %d", fmt.Sprintf("U+%04X", row.r), row.before, got, row.want)
		}
	}
}
