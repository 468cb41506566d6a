package hidden

import (
	"strings"
	"testing"
)

func TestOneTableOfInvisibleCharacters(t *testing.T) {
	for _, r := range []rune{
		0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180E, 0x200B, 0x200E, 0x202E, 0x2028, 0x2060, 0x2064, 0x2066,
		0x2800, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0x1D173, 0xE0001, 0xE0041, 0xE007F, 0xE0100, 0xE01EF, 0x200C, 0x200D,
	} {
		text := "pay" + string(r) + "load"
		if shown := Visible(text); !strings.Contains(shown, "‹U+") || strings.ContainsRune(shown, r) {
			t.Errorf("U+%04X is shown as %q", r, shown)
		}
		if got := Unhidden(text); strings.ContainsRune(got, r) || !strings.HasPrefix(strings.Replace(got, "\n", "", 1), "payload") {
			t.Errorf("U+%04X reaches the model: %q", r, got)
		}
		if Count(text) != 1 || !strings.HasPrefix(Marked(text), text+"\n[invisible characters in this text: 1 (U+") {
			t.Errorf("U+%04X is counted %d times, marked %q", r, Count(text), Marked(text))
		}
	}
	for _, text := range []string{
		"plain\ttext\r\n", "👩\u200d🚀 👍🏽\u200d ❤\ufe0f 1\ufe0f\u20e3 ℹ\ufe0f ✈\ufe0e", "می\u200cخواهم", "क्\u200dष", "葛\ufe00", "ᠠ\u180b", "Größe, naïve, 日本",
	} {
		if Visible(strings.ReplaceAll(text, "\r", "")) != strings.ReplaceAll(text, "\r", "") || Unhidden(text) != text || Marked(text) != text || Count(text) != 0 {
			t.Errorf("%q is not plain: %q, %d", text, Visible(text), Count(text))
		}
	}
	if got := Marked("\x1b[31mred\x1b[0m\n"); got != "\x1b[31mred\x1b[0m\n" {
		t.Errorf("colours are marked: %q", got)
	}
}

func BenchmarkMarked(b *testing.B) {
	text := strings.Repeat("func main() { fmt.Println(\"naïve\") }\n", 1500)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Marked(text)
	}
}
