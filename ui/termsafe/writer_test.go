package termsafe_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"marvin/ui/termsafe"
)

// written returns the output of a text written in two pieces, split at any position.
func written(t *testing.T, first, second string) string {
	t.Helper()
	var out bytes.Buffer
	writer := termsafe.NewWriter(&out)
	for _, piece := range []string{first, second} {
		if n, err := writer.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatalf("%d of %d bytes, %v", n, len(piece), err)
		}
	}
	if err := writer.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestCutAnywhereTheTextIsTheSame(t *testing.T) {
	for _, text := range []string{
		"a\x1b]0;x\x07b", "\u009b31mred", "日本語 👨‍👩‍👧 é", "half \xe2\x82", "\xff\xfe\xc2\u009dend",
		"tags \U000E0041\U000E0042.", "bidi \u202e\u2066 width \u200b\ufeff\u2060\u00ad", "\xf0\x9f\x94", "\xe2\x82A\xc2",
	} {
		want := termsafe.String(text)
		for at := range len(text) + 1 {
			if got := written(t, text[:at], text[at:]); got != want {
				t.Errorf("%q cut at %d: %q, not %q", text, at, got, want)
			}
		}
	}
}

// full is a terminal that is gone.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("input/output error") }

func TestAWriterTellsThatTheTerminalIsGone(t *testing.T) {
	if _, err := termsafe.NewWriter(full{}).Write([]byte("text")); err == nil {
		t.Error("no error")
	}
}

func TestSeveralMayWriteAtOnce(t *testing.T) {
	var out bytes.Buffer
	writer := termsafe.NewWriter(&out)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				writer.Write([]byte("a whole line\x1b\n"))
			}
		})
	}
	all.Wait()
	if want := strings.Repeat("a whole line\n", 400); out.String() != want {
		t.Errorf("%d bytes of %d", out.Len(), len(want))
	}
}

func TestJSONKeepsItsValueAndNothingHarmful(t *testing.T) {
	text := "del \x7f c1 \u009b31m bidi \u202e tag \U000E0041 zero \u200b\ufeff esc \x1b[2J\r\n joined 👨‍👩‍👧 \\ \""
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]string{"text": text}); err != nil {
		t.Fatal(err)
	}
	escaped := termsafe.JSON(plain.Bytes())
	if safe := termsafe.String(string(escaped)); safe != string(escaped) {
		t.Errorf("%q\nis harmful: cleaned it is\n%q", escaped, safe)
	}
	var back map[string]string
	if err := json.Unmarshal(escaped, &back); err != nil || back["text"] != text {
		t.Errorf("%v: %q", err, back["text"])
	}
	for _, code := range []string{`\u007f`, `\u009b`, `\u202e`, `\udb40\udc41`, `\u200b\ufeff`, "👨‍👩‍👧"} {
		if !strings.Contains(string(escaped), code) {
			t.Errorf("%s is not in %s", code, escaped)
		}
	}
}

func FuzzWriter(f *testing.F) {
	f.Add("\x1b]52;c;aGk=\x07", 3)
	f.Add("a\u0085b\x7f\xc2", 2)
	f.Add("\xf0\x9f\x94\xff\U000E0041", 1)
	f.Fuzz(func(t *testing.T, text string, at int) {
		if len(text) > 0 {
			at = ((at % len(text)) + len(text)) % len(text)
		} else {
			at = 0
		}
		if got, want := written(t, text[:at], text[at:]), termsafe.String(text); got != want {
			t.Fatalf("%q cut at %d: %q, not %q", text, at, got, want)
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add("c1 \u009b tag \U000E0041 del \x7f")
	f.Fuzz(func(t *testing.T, text string) {
		plain, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		escaped := termsafe.JSON(plain)
		if json.Unmarshal(plain, &want) != nil || json.Unmarshal(escaped, &got) != nil || got != want {
			t.Fatalf("%q became %q", want, got)
		}
		if safe := termsafe.String(string(escaped)); safe != string(escaped) {
			t.Fatalf("%q is harmful", escaped)
		}
	})
}
