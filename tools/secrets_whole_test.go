package tools_test

import (
	"strings"
	"testing"

	"marvin/tools"
)

// A key that arrives in pieces is not stored in pieces.
func TestAKeyThatComesInPieces(t *testing.T) {
	const key = "sk-abcabcabd-0123456789"
	secrets := tools.SecretsOf([]string{"GEMINI_API_KEY=" + key}, "")
	text := "the key " + key + " and " + key[:9] + " sk-abcabc" + key + " is all"
	for size := 1; size <= len(text); size++ {
		var written strings.Builder
		held := ""
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			held, rest = held+rest[:n], rest[n:]
			whole := secrets.SafeLength(held)
			if len(held)-whole >= len(key)*2 { // the longest spelling of the key is base64
				t.Fatalf("%d bytes are held back: %q", len(held)-whole, held[whole:])
			}
			written.WriteString(secrets.Hide(held[:whole]))
			held = held[whole:]
		}
		if got := written.String() + secrets.Hide(held); got != secrets.Hide(text) || strings.Contains(got, key) {
			t.Fatalf("in pieces of %d: %q", size, got)
		}
	}
}
