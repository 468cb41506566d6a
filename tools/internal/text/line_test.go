package text

import "testing"

func TestClipCountsCharacters(t *testing.T) {
	for _, given := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"日本語", 3, "日本語"}, {"日本語!", 3, "日本語…"}, {"a\xffb", 3, "a\ufffdb"}, {"a\xffbcd", 3, "a\ufffdb…"},
	} {
		if got := Clip(given.text, given.most); got != given.want {
			t.Errorf("%q to %d: %q, want %q", given.text, given.most, got, given.want)
		}
	}
}

func TestOneLine(t *testing.T) {
	if got := OneLine(" a\r\n\tb  c \u00a0"); got != "a b c" {
		t.Errorf("%q", got)
	}
}
