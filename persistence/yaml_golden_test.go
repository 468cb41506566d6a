package persistence

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// edited are documents of YAML at the edges of what can be edited.
var edited = []string{
	"", "\n", "# only a comment", "a: 1", "a: 1\nb: two\n", "b: two # more\n# end", "a:\nb: x\n", "a: ~\nb: null\n", "a:   # empty\n\nb:\n",
	"a: [x, y] # list\nb: {c: 1, d: 2}\n", "a: [x,\n  y]\nb: []\n", "a:\n- x\n- 'y' # second\n# between\n- z\nb:\n  c: 1\n", "a:\n    - x\n    - w\n\n    - y",
	"a:\n  -\n  - x\n", "a:\n  - - x\n", "a: |\n  text\n\n  more\nb:\n  c: |\n    x\n  d: 2\n", "a: >-\n  text\n  of it", "a: \"x\n  y\"\nb: 'it''s'\n",
	"b:\n    # soon\n    c: 1 # low\n\n    d: two\n\na: x\n", "b: {c: 1}\na: &x y\n", "b: *x\n", "b:\n  c:\n    e: 1\n  d:\n", "b: x\n", "a : 1\nb : 2\n", "? a\n: 1\n",
	"'a': 1\n\"b\": 2\n", "a: 1\r\nb:\r\n  c: 1 \r\n  d: 2\r\n", "a: 日本 # é\nb: ü\n", "a: 1\na: 2\n", "- a\n", "a: 1\n---\nb: 2\n", "\ufeffa: 1\n", "a: 1\rb: 2\r", "a: [", "a: \x00", "text", "a: true\nb: 1.50\n", "b: {c: 1}\n\n\n", "b:\n  c: 1\nb2: 3", "a: y\nb:\n  c: [1,\n   2]\n  d: x\n",
}

// What becomes of each document where a key is set or taken away stands in this file;
// UPDATE_GOLDEN=1 writes it anew.
func TestGoldenEditsOfYAML(t *testing.T) {
	var all strings.Builder
	told := func(what string, before, after string, err error) {
		switch {
		case err != nil:
			after = "error: " + err.Error()
		case after == before:
			after = "the same"
		default:
			after = fmt.Sprintf("%q", after)
		}
		fmt.Fprintf(&all, "%s: %s\n", what, after)
	}
	for _, text := range edited {
		fmt.Fprintf(&all, "== %q\n", text)
		d, err := readYAML(text)
		if line, wrong := YAMLMistake([]byte(text)); wrong != "" {
			fmt.Fprintf(&all, "mistake in line %d: %s\n", line, wrong)
		}
		if err != nil {
			fmt.Fprintf(&all, "error: %v\n", err)
			continue
		}
		fmt.Fprintf(&all, "holds %v\n", d.plain)
		for _, key := range []string{"a", "b", "b.c", "b.d", "b.c.e", "z", "z.y"} {
			for _, value := range []any{"x", "it's no", true, 1.5, []string{"x", "y"}, []string{"y", "x", "w"}, []string{}} {
				if _, list := value.([]string); list && key != "a" && key != "z" {
					continue // lists stand at the top alone
				}
				after, err := d.withSetting(key, value)
				told(fmt.Sprintf("%s set to %v", key, value), text, after, err)
			}
			after, err := d.withoutSetting(key)
			told(key+" taken away", text, after, err)
		}
	}
	goldentest.Hold(t, "yaml.golden", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// Which texts stand without quotes, and which addresses are one, in this file; UPDATE_GOLDEN=1
// writes it anew.
func TestGoldenWords(t *testing.T) {
	var all strings.Builder
	for _, text := range []string{"", "a", "Yes", "off", "NULL", "two words", "two  words", " led", "a-b", "-a", "a1", "1", "a:b", "é", "a\nb", "a\"b", "tru", "y", "N"} {
		fmt.Fprintf(&all, "%q is written %s\n", text, yamlText(text))
	}
	for _, text := range []string{"", " https://A.org/ ", "HTTPS://a.ORG", "https://a.org/b/", "https://a.org/b//", "https://a.org/%62", "https://a.org/b?C=d/", "https://a.org/#/", "a.org", "/x/", "://", "http://[::1", "mailto:A@b.org"} {
		fmt.Fprintf(&all, "%q is the address %q\n", text, address(text))
	}
	goldentest.Hold(t, "words.golden", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
