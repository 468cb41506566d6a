package termsafe_test

import (
	"strings"
	"testing"

	"marvin/ui/termsafe"
)

func TestSequencesLoseTheirPower(t *testing.T) {
	cases := map[string]string{
		"plain\ttext\n":         "plain\ttext\n",
		"\x1b]0;title\x07after": "]0;titleafter",
		"\x1b[31mred\x1b[0m":    "[31mred[0m",
		"over\rwritten":         "overwritten",
		"c1 \u009b31m":          "c1 31m",
		"bidi \u202eevil":       "bidi evil",
		"tag\U000E0041":         "tag",
		"no\u200b\ufeff width":  "no width",
		"soft\u00adhyphen":      "softhyphen",
		"selector\U000E0101":    "selector",
		"one\u2028line":         "oneline",
		"نمی\u200cخواهم \u0605": "نمی\u200cخواهم \u0605",
		"family 👨‍👩‍👧 ok":       "family 👨‍👩‍👧 ok",
		"broken \xff byte":      "broken � byte",
		"日本語 é":                 "日本語 é",
	}
	for in, want := range cases {
		if got := termsafe.String(in); got != want {
			t.Errorf("String(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzTermsafe(f *testing.F) {
	f.Add("\x1b]52;c;aGk=\x07")
	f.Add("a\u0085b\x7f\xc2")
	f.Fuzz(func(t *testing.T, text string) {
		safe := termsafe.String(text)
		for i, r := range safe {
			if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
				t.Fatalf("%U survives at %d in %q", r, i, safe)
			}
		}
		if again := termsafe.String(safe); again != safe {
			t.Fatalf("not stable: %q then %q", safe, again)
		}
		if strings.ToValidUTF8(safe, "") != safe {
			t.Fatalf("%q is not valid UTF-8", safe)
		}
	})
}
