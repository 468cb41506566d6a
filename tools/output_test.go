package tools_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"marvin/tools"
)

// Binary or one-line output must not flood the context.
func TestOutputIsCappedInEveryDimension(t *testing.T) {
	cases := []struct{ name, text string }{
		{"50 MB without a line break", strings.Repeat("x", 50<<20)},
		{"a million short lines", strings.Repeat("ab\n", 1_000_000)},
		{"wide letters", strings.Repeat("漢", 200_000)},
		{"binary", strings.Repeat("\x00\xff\xfe", 100_000)},
	}
	for _, c := range cases {
		got, cut := tools.ResultLimits.Cut(c.text)
		if !cut {
			t.Errorf("%s: not cut", c.name)
		}
		if len(got) > tools.ResultLimits.Bytes+200 || strings.Count(got, "\n") > tools.ResultLimits.Lines+3 {
			t.Errorf("%s: %d bytes in %d lines", c.name, len(got), strings.Count(got, "\n"))
		}
		if tokens := tools.EstimateTokens(got); tokens > tools.ResultLimits.Tokens+100 {
			t.Errorf("%s: about %d tokens", c.name, tokens)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%s: not valid UTF-8", c.name)
		}
	}
}

func TestHeadAndTailAreKept(t *testing.T) {
	var text strings.Builder
	text.WriteString("first line\n")
	text.WriteString(strings.Repeat("middle\n", 10_000))
	text.WriteString("last line")
	got, _ := tools.ResultLimits.Cut(text.String())
	if !strings.HasPrefix(got, "first line\n") || !strings.HasSuffix(got, "\nlast line") || !strings.Contains(got, "lines left out …]") {
		t.Errorf("%.80s … %s", got, got[len(got)-80:])
	}
	if same, cut := tools.ResultLimits.Cut("short\n"); cut || same != "short\n" {
		t.Errorf("a short text became %q", same)
	}
}

func TestHiddenCharactersAreShown(t *testing.T) {
	got := tools.Visible("rm \u202e-rf\x1b[2K\r/ \U000E0041 ok\ttab\nline 👩‍👧")
	want := "rm ‹U+202E›-rf‹U+001B›[2K‹U+000D›/ ‹U+E0041› ok\ttab\nline 👩‍👧"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// All truncation goes through one helper and never splits a character.
func FuzzTruncateUTF8(f *testing.F) {
	f.Add("añ漢👩‍👧", 3, 2, 4, 5)
	f.Add("\xff\xfe broken", 1, 1, 1, 1)
	f.Fuzz(func(t *testing.T, text string, bytes, lines, lineBytes, tokens int) {
		limits := tools.Limits{Bytes: bytes & 0xfff, Lines: lines & 0xff, LineBytes: lineBytes & 0xff, Tokens: tokens & 0xfff}
		got, cut := limits.Cut(text)
		if !utf8.ValidString(got) {
			t.Fatalf("%+v: %q is not valid UTF-8", limits, got)
		}
		if !cut && got != strings.ToValidUTF8(text, "�") {
			t.Fatalf("%+v: changed without saying so", limits)
		}
		if limits.Bytes > 0 && len(got) > limits.Bytes+100 {
			t.Fatalf("%+v: %d bytes", limits, len(got))
		}
	})
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"place":"Rome"}`, `"{\"place\":1}"`, `{"days":1e999}`, `{"tags":[[]],"place":""}`, `{"lat":"-0"}`, "\"", `{"place":"a","days":9007199254740993}`, `"\"\\\" \\\"\""`} {
		f.Add(seed)
	}
	tool := forecast()
	f.Fuzz(func(t *testing.T, args string) {
		call, err := tool.Decode([]byte(args))
		if err != nil {
			if !strings.Contains(err.Error(), "Example: ") {
				t.Fatalf("an error without help: %v", err)
			}
			return
		}
		if _, err := call.Run(t.Context(), tools.Env{}); err != nil {
			t.Fatalf("accepted, but cannot be used: %v", err)
		}
	})
}
