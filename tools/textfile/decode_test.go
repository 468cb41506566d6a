package textfile

import (
	"errors"
	"strings"
	"testing"

	"marvin/tools/internal/hidden"
)

func TestTextFromOutsideIsDecoded(t *testing.T) {
	for data, want := range map[string]string{
		"plain": "plain", "\xef\xbb\xbfmark": "mark", "\xff\xfeh\x00i\x00": "hi", "\xfe\xff\x00h\x00i": "hi", "h\x00e\x00l\x00l\x00o\x00": "hello",
		"caf\xe9": "café", "\xff\xfe\x00\x00h\x00\x00\x00\xf6\x00\x00\x00": "hö", "\x00\x00\xfe\xff\x00\x00\x00h\x00\x01\xf6\x00": "h😀", "w\xc3\xb6rld": "wörld", "": "",
	} {
		if got, err := Decode([]byte(data)); err != nil || got != want {
			t.Errorf("%q is %q, %v", data, got, err)
		}
	}
	for _, data := range []string{"\x7fELF\x02\x01\x01\x00\x00\x00", "a\x00b\x01\x02c", strings.Repeat("\x00\x01\x02\x80", 99)} {
		if got, err := Decode([]byte(data)); !errors.Is(err, ErrBinary) {
			t.Errorf("%q is %q", data, got)
		}
	}
}

func TestInvisibleCharactersOfOrdinaryTextStay(t *testing.T) {
	for _, text := range []string{"ภาษา\u200bไทย", "שלום\u200f (abc)", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"} {
		if hidden.Visible(text) != text || hidden.Unhidden(text) != text {
			t.Errorf("%q is shown as %q", text, hidden.Visible(text))
		}
	}
	for _, text := range []string{"pay\u200bpal", "a\u200fb", "\U0001F3F4\U000E0049\U000E0067\U000E006E\U000E006F\U000E0072\U000E0065 all\U000E007F", "x\U000E0067"} {
		if hidden.Visible(text) == text {
			t.Errorf("%q hides something", text)
		}
	}
}
