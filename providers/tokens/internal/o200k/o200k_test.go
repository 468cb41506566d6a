package o200k

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// The library is the reference; it agrees with OpenAI's own on all real texts
// (../../../../../shared/facts/dependencies.md, "Tokenizers").
func reference(t testing.TB, text string) int {
	t.Helper()
	count, err := codec.NewO200kBase().Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return count
}

func TestCountsWhatTheReferenceCounts(t *testing.T) {
	for _, text := range []string{
		"", "a", " ", "\n", "Hello, world!", "I'm sure it's THEY'LL we'Re don'T 'tis o'clock",
		"HTTPServer getURLFor ABCdef ÄÖÜäöü ǅemal", "1234567 3.14159 ٣٤٥ ½", "x  y   z    \n\n  w\t\t\r\n q  ",
		"日本語のテキスト 中文文本。한국어", "Ｆｕｌｌｗｉｄｔｈ", "नमस्ते दुनिया", "e\u0301galite\u0301 \u0301x", "👨‍👩‍👧‍👦 🇩🇪 ❤️",
		"if err != nil {\n\treturn fmt.Errorf(\"%w\", err)\n}\n", "https://example.com/a/b?c=d&e=f#g//\n///", "   leading", "trailing   ",
		"<|endoftext|>", "----------\n==========\n", "\u00a0\u2003x\u3000y", strings.Repeat("ab", 120),
	} {
		if got, want := Count(text), reference(t, text); got != want {
			t.Errorf("%q: %d tokens, the reference has %d", text, got, want)
		}
	}
}

func TestRealFilesCountExactly(t *testing.T) {
	for _, pattern := range []string{"*.go", "../../../../*.md", "../../../../go.sum", "../../../../Makefile"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v, %v", pattern, paths, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := Count(string(text)), reference(t, string(text)); got != want {
				t.Errorf("%s: %d tokens, the reference has %d", path, got, want)
			}
		}
	}
}

// Random runes of every class, in every order. The reference drops U+007F and
// folds long s and the Kelvin sign into contractions, which no text of weight has.
func TestRandomTextsSplitAsThePatternSays(t *testing.T) {
	alphabet := []rune("abcABC09 \t\n\r'sStTrReElLdDmM/.,-_(){}äÄßñ日本のアǅʰ\u0301\u0903٣½€🙂\u00a0\u2028")
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		text := make([]rune, random.IntN(24))
		for i := range text {
			text[i] = alphabet[random.IntN(len(alphabet))]
		}
		if got, want := Count(string(text)), reference(t, string(text)); got != want {
			t.Fatalf("%q: %d tokens, the reference has %d", string(text), got, want)
		}
	}
}

func TestLongRunsTakeTimeInProportion(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 1<<20), strings.Repeat("  \r\n", 1<<18), strings.Repeat("\xff", 1<<20), strings.Repeat("日", 1<<18)} {
		if count := Count(text); count == 0 || count > len(text) {
			t.Errorf("%q…: %d tokens", text[:8], count)
		}
	}
}

func FuzzPiecesCoverTheText(f *testing.F) {
	f.Add("Hello, world!\r\n\t'll \xff\xfe 日本 \u0301")
	f.Fuzz(func(t *testing.T, text string) {
		for rest := text; rest != ""; {
			end := next(rest)
			if end <= 0 || end > len(rest) {
				t.Fatalf("%q: a piece of %d bytes", rest, end)
			}
			if utf8.ValidString(rest) && !utf8.ValidString(rest[:end]) {
				t.Fatalf("%q: a piece ends within a rune", rest)
			}
			rest = rest[end:]
		}
		if count := Count(text); count > len(text) {
			t.Fatalf("%q: %d tokens of %d bytes", text, count, len(text))
		}
	})
}
