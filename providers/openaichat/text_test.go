package openaichat

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

func TestATextIsWrittenAsEncodingJSONDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 2)) //nolint:gosec // equal runs
	pieces := []string{"word ", "\n", "\"", "\\", "<a href='x'>&amp;", "ü", "字", "🙂", "\u2028", "\u2029", "\u2027", "\ufffd", "\u00a0", "\x7f", "\xff", "\xe2\x80", "\xed\xa0\x80", ""}
	for char := range 256 {
		pieces = append(pieces, string([]byte{byte(char)}))
	}
	for range 3000 {
		text := ""
		for range random.IntN(12) {
			text += pieces[random.IntN(len(pieces))]
		}
		var got, want bytes.Buffer
		writeText(&got, text)
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(text); err != nil {
			t.Fatal(err)
		}
		if got.String()+"\n" != want.String() {
			t.Fatalf("%q is written\n%s, and by encoding/json\n%s", text, got.String(), want.String())
		}
	}
}
