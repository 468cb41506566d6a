package offline

import "testing"

// Durations with fractions, and where they end.
func TestSpansOfParts(t *testing.T) {
	for _, row := range []struct {
		number float64
		unit   string
		want   string
	}{
		{1.5, "h", "1h30m"},
		{0.25, "h", "0h15m"},
		{10_000, "h", "10000h0m"},
		{10_000.5, "h", ""},
		{0, "h", ""},
		{-1.5, "h", ""},
		{2.5, "m", "2m30s"},
		{0.1, "m", "0m6s"},
		{10_000.5, "m", ""},
		{1.5, "d", ""},
		{1.5, "", ""},
	} {
		if got, ok := minutesOf(row.number, row.unit); got != row.want || ok != (row.want != "") {
			t.Errorf("%v %s: %q, %v", row.number, row.unit, got, ok)
		}
	}
}
