package words

import (
	"reflect"
	"testing"
)

func TestACommandTakesItsArguments(t *testing.T) {
	for _, test := range []struct{ text, arguments, want string }{
		{"review $1 against $2", `main.go "the old one"`, "review main.go against the old one"},
		{"do $ARGUMENTS now", "a b", "do a b now"},
		{"all: $@.", "x y", "all: x y."},
		{"$1, then $3!", "one two", "one, then !"},
		{"no place for it", "here it is", "no place for it\n\nhere it is"},
		{"nothing given: $ARGUMENTS", "", "nothing given:"},
		{"costs $15 and $x", "", "costs $15 and $x"},
		{"it's $1", "don't", "it's don't"},
		{"$1|$2|$3", "a  b\t\nc", "a|b|c"},
		{"$1|$2|$3", `"a b" '' "it's"`, "a b||it's"},
		{"$1|$2", `a"b c"d e`, "ab cd|e"},
		{"$1|$2", "  ", "|"},
	} {
		if got, _ := Expand(test.text, test.arguments, ""); got != test.want {
			t.Errorf("%q with %q: %q", test.text, test.arguments, got)
		}
	}
}

func TestPartsAreThoseOfTheAuthor(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.go": "x", "b.go": "y", "sub/c.go": "z"})
	text, parts := Expand("Look at !`git status` and !`git diff` in @a.go, not @none, nor a@b.go.\n```\n!`rm -rf /` @b.go\n```\n`@b.go` $1 @sub/c.go @../x @a.go:1-2 @sub", "!`evil` @b.go", dir)
	want := []Part{{Shell: "git status"}, {Shell: "git diff"}, {Mention: Mention{Path: "a.go", Size: 1}}, {Mention: Mention{Path: "sub/c.go", Size: 1}}, {Mention: Mention{Path: "a.go", Size: 1, First: 1, Last: 2}}, {Mention: Mention{Path: "sub", Dir: true}}}
	if !reflect.DeepEqual(parts, want) {
		t.Errorf("%+v of %q", parts, text)
	}
}
