package offline

import (
	"fmt"
	"testing"
)

// A section of the lexicon contains only its own lines: no title, no comment, no blank line.
func TestASectionHasItsLinesAlone(t *testing.T) {
	l := readLexicon("# a remark\n[glue]\nand, but\n\n  # another\nwhile\n[asking]\nwhat\n")
	for section, want := range map[string][]string{"glue": {"and", "but", "while"}, "asking": {"what"}} {
		for _, word := range want {
			if l.tables[section][word] == "" {
				t.Errorf("%s lacks %q: %v", section, word, l.tables[section])
			}
		}
		if len(l.tables[section]) != len(want) {
			t.Errorf("%s has %v", section, l.tables[section])
		}
	}
	if len(l.tables) != 2 {
		t.Errorf("sections: %s", fmt.Sprint(l.tables))
	}
}
