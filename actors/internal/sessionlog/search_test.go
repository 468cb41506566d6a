package sessionlog

import (
	"math/rand/v2"
	"testing"
)

// Letters of ASCII are folded wherever they stand, and no other byte is touched.
func TestLowerFoldsLettersOnly(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for range 2_000 {
		text := make([]byte, random.IntN(40))
		for i := range text {
			text[i] = byte(random.IntN(256))
		}
		want := make([]byte, len(text))
		for i, b := range text {
			if want[i] = b; b >= 'A' && b <= 'Z' {
				want[i] = b + 'a' - 'A'
			}
		}
		before := string(text)
		if got := lower(text); string(got) != string(want) {
			t.Fatalf("seed %d: %q becomes %q, not %q", seed, before, got, want)
		}
	}
}
