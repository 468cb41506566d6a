package screen

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTerminalScreen(t *testing.T) {
	for given, want := range map[string]string{
		"plain \n\ttext  \n":                       "plain \n\ttext  \n",
		"a\r\nb\r\n":                               "a\nb\n",
		"1%\r50%\r100%\ndone":                      "100%\ndone",
		"long word\rshort":                         "shortword",
		"12345\r\x1b[Kok\n":                        "ok\n",
		"12345   \r12   \r\n":                      "12\n",
		"\x1b[1;31mred\x1b[0m and \x1b[32mgreen":   "red and green",
		"\x1b]0;title\x07text":                     "text",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\": "link",
		"\x1b]0;no end\nnext line":                 "\nnext line",
		"a\x00b\x00":                               "a␀b␀",
		"N\bNA\bAM\bM":                             "NAM",
		"bell\a, delete\x7f, next\u0085":           "bell, delete, next",
		"one: 1\ntwo: 1\n\x1b[2A\rone: 9\x1b[K\n\x1b[Ktwo: 9\n": "one: 9\ntwo: 9\n",
		"before\n\x1b[2J\x1b[Hframe 1\n\x1b[2J\x1b[Hframe 2\n":  "before\nframe 2\n",
		"abc\x1b[2DX":                          "aXc",
		"abc\x1b[1GX":                          "Xbc",
		"a\x1b[3Cb":                            "a   b",
		"half\x1b[":                            "half",
		"half\x1b":                             "half",
		"\x1b(Bset":                            "set",
		"\u009b31mred":                         "red",
		"abcdef\x1b[4D\x1b[2P":                 "abef",
		"x\x1b7yz\x1b8Y":                       "xYz",
		"up\x1b[99999999999A\rUP":              "UP",
		"ünï\rÜ":                               "Ünï",
		"abc\x1b[1KX":                          "   X",
		"abc\x1b[2KX":                          "   X",
		"abc\x1b[2D\x1b[1KX":                   " Xc",
		"abc\x1b[2D\x1b[KX":                    "aX",
		"abc\x1b[2D\x1b[2KX":                   " X",
		"abc\x1b[2D\x1b[1XZ":                   "aZc",
		"abc\x1b[2D\x1b[9PZ":                   "aZ",
		"abc\x1b[2D\x1b[9XZ":                   "aZ",
		"\x1b[Hone\ntwo\nthree\x1b[1A\x1b[1JX": "\n     X\nthree",
		"\x1b[Hone\ntwo\nthree\x1b[1A\x1b[JX":  "one\ntwo  X\n",
		"\x1b[Hone\ntwo\nthree\x1b[1A\x1b[2JX": "\n     X\n",
	} {
		if got := Clean(given); got != want {
			t.Errorf("%q is shown as %q, not %q", given, got, want)
		}
	}
}

func FuzzNothingSteers(f *testing.F) {
	for _, seed := range []string{"\x1b[4096;4096Hx", "\x1b[9B\x1b[9Cx", "a\x1b]x", "\x1b\x1b[[[", "\x9b1A", "\x1b[2J\x1b[1J\x1b[J", strings.Repeat("\x1b[4096Bx", 3), strings.Repeat("\x1b[9999;9999Hx\n", 9), "a\u0080", "\u009f", "\u00a0ü\x7f", "\u1234\t\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "�")
		if steered := strings.ContainsFunc(text, isControl); HasControls(text) != steered || HasControls([]byte(text)) != steered {
			t.Errorf("%q: whether it steers depends on how it is looked at", text)
		}
		shown := Clean(text)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, isControl) {
			t.Errorf("%q is shown as %q", text, shown)
		}
		if plain := strings.Trim(text, "\n"); !strings.ContainsFunc(text, isControl) && !strings.Contains(shown, plain) {
			t.Errorf("%q lost something: %q", text, shown)
		}
	})
}

// A few bytes do not make a screen of gigabytes.
func TestAScreenIsBounded(t *testing.T) {
	for _, piece := range []string{"\x1b[9999Bx", "\x1b[9999;9999Hx", "\x1b[9999Gx\n", "\x1b[9999Cx\n", "\x1b[Hx\x1b[9999Ex"} {
		if size := len(Clean(strings.Repeat(piece, 64<<10/len(piece)))); size > 8<<20 {
			t.Errorf("%q: %d bytes", piece, size)
		}
	}
}
