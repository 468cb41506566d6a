package coding

import "testing"

func TestRipgrepErrors(t *testing.T) {
	for said, want := range map[string]string{
		"rg: ./locked: Permission denied (os error 13)\nrg: ./gone: No such file or directory (os error 2)": "locked: Permission denied\ngone: No such file or directory",
		"rg: a (os error 13): more": "a (os error 13): more",
	} {
		if got := plainMessage(said); got != want {
			t.Errorf("%q is told as %q", said, got)
		}
	}
}
