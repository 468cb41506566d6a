package box

import "testing"

func TestNamesInHintsAreReadable(t *testing.T) {
	for _, c := range []struct{ name, wanted, want string }{
		{"Ünï.txt", "Uxx.txt", `"Ünï.txt"`},
		{"plain.txt", "plan.txt", `"plain.txt"`},
		{"u\u0308.txt", "\u00fc.txt", `"u\u0308.txt"`}, // a combining mark, which looks the same
	} {
		if got := spellOut(c.name, c.wanted); got != c.want {
			t.Errorf("%q for %q is %s, want %s", c.name, c.wanted, got, c.want)
		}
	}
}
