package coding

import "testing"

func TestOneIsNotMany(t *testing.T) {
	for number, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files"} {
		if got := count(number, "file", "files"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
