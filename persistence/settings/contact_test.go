package settings

import (
	"strings"
	"testing"
)

func TestAContactIsAnAddressOrAPage(t *testing.T) {
	for text, want := range map[string]bool{
		"me@example.org": true, "https://example.org/me": true, "http://example.org": true,
		"": false, "me": false, "Me <me@example.org>": false, "ftp://example.org": false, "https://user:secret@example.org": false, "https:///me": false,
		"me@example.org\r\nX-Other: 1": false, "https://example.org/)(": false, "https://example.org/é": false, "https://example.org/" + strings.Repeat("a", 200): false,
	} {
		if err := CheckContact(text); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
