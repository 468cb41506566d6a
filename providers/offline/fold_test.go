package offline

import (
	"strings"
	"testing"
)

// The fast conversion of German and French letters gives the same result as the general one.
func TestFoldedIsAsByTheBook(t *testing.T) {
	for letter := rune(0); letter < 0x250; letter++ {
		for _, text := range []string{string(letter), "a" + string(letter) + "é"} {
			if got, want := folded(text), foldAnyLanguage(strings.ToLower(text)); got != want {
				t.Errorf("%q is folded to %q instead of %q", text, got, want)
			}
		}
	}
	if got := folded("ÜBERSETZE ça à Zoë, garçon"); got != "ubersetze ca a zoe, garcon" {
		t.Error(got)
	}
}
