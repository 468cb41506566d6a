package fold

import "testing"

func TestCaseAndAccentsDoNotCount(t *testing.T) {
	for text, want := range map[string]string{
		"São Paulo": "sao paulo", "GRÖSSE": "grosse", "Größe": "grosse", "œuvre": "oeuvre", "plain": "plain", "Łódź": "lodz", "日本": "日本",
	} {
		if got := Text(text); got != want {
			t.Errorf("%s is folded to %s, want %s", text, got, want)
		}
	}
}
