package offline

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each text is divided into words and read as each kind of value. The file has the texts and the
// results. A kind without a value in the file returns the text unchanged.
func TestValueKinds(t *testing.T) {
	golden := filepath.Join("testdata", "values.golden")
	content, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for line := range strings.Lines(string(content)) {
		text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if text != "" && text[0] != '#' {
			text += " => " + strings.Join(readAs(text), "; ")
		}
		if all.WriteString(text + "\n"); text != strings.TrimSuffix(line, "\n") {
			t.Logf("now it is %s\nand was    %s", text, line)
		}
	}
	if all.String() == string(content) {
		return
	}
	if os.Getenv("UPDATE_GOLDEN") == "" {
		t.Fatal("texts are read otherwise; UPDATE_GOLDEN=1 writes them")
	}
	if err := os.WriteFile(golden, []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readAs returns the words of a text, and each kind that can read it.
func readAs(text string) []string {
	s := newSentence(text)
	var words []string
	for _, w := range s.words {
		shown := w.folded
		if w.quoted {
			shown = "“" + shown + "”"
		}
		words = append(words, shown)
	}
	list := []string{strings.Join(words, "|")}
	if len(s.words) == 0 {
		return list
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds())) {
		k := kinds()[kind]
		value, ok := k.read(s, s.words)
		switch {
		case !ok || len(s.words) > k.longest:
		case value == text:
			list = append(list, kind)
		default:
			list = append(list, fmt.Sprintf("%s=%v", kind, value))
		}
	}
	if bare := s.polite()[0]; len(bare.words) < len(s.words) {
		list = append(list, "politely="+joined(bare.words))
	}
	return list
}
