package messages

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 lines", 1: "1 line", 2: "2 lines"} {
		if got := Counted(n, "line"); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
}
