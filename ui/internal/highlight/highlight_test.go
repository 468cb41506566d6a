package highlight_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/ui/internal/highlight"
)

// samples contains code of every language, and the tokens that must be recognized. The marks are k
// keyword, n name, s string, # number, c comment, + - @ diff.
var samples = []struct{ language, code, want string }{
	{"go", "func main() { // go\n\treturn f(`a\n\\`, \"b\\\"\", 0x1F) }", "k:func n:main c:// go k:return n:f s:`a s:\\` s:\"b\\\"\" #:0x1F"},
	{"py", "@cache\ndef f(self, x=1.5): # hi\n    \"\"\"doc\n    more\"\"\"\n    return None", "n:@cache k:def n:f n:self #:1.5 c:# hi s:\"\"\"doc s:    more\"\"\" k:return n:None"},
	{"tsx", "const a = `x ${1}\ny`; /* b\nc */ let n = null", "k:const s:`x ${1} s:y` c:/* b c:c */ k:let n:null"},
	{"console", "$ ls -la \"$HOME\" # all\nfor f in *; do echo 'x'; done", "c:$  n:-la s:\"$HOME\" c:# all k:for k:in k:do n:echo s:'x' k:done"},
	{"json", "{\"a\": [1, \"b\", true, -2e3]}", "n:\"a\" #:1 s:\"b\" n:true #:-2e3"},
	{"yml", "# c\na-b: [1, \"x\"]\nurl: http://x # y\nd: &e yes", "c:# c n:a-b #:1 s:\"x\" n:url c:# y n:d k:&e n:yes"},
	{"toml", "[a.b]\nc-d = \"x\" # y\ne = 2024", "k:[a.b] n:c-d s:\"x\" c:# y n:e #:2024"},
	{"c++", "#include <map>\nint main() { return 'x'; /* a */ }", "k:#include <map> n:int n:main k:return s:'x' c:/* a */"},
	{"rust", "fn f<'a>(x: &'a str) -> char { println!(\"a\nb\"); 'x' } // y", "k:fn n:'a n:'a n:str n:char n:println! s:\"a s:b\" s:'x' c:// y"},
	{"java", "@Override\npublic String f() { return \"x\"; }", "n:@Override k:public n:String n:f k:return s:\"x\""},
	{"html", "<!-- a\nb --><p class=\"x\">hi &amp;</p>", "c:<!-- a c:b --> k:<p n:class s:\"x\" k:> n:&amp; k:</p>"},
	{"css", ".a { color: #fff; /* b */ }\n@media x", "n:.a n:color #:#fff c:/* b */ k:@media"},
	{"sql", "SELECT count(*) from t -- x\nwhere a = 'it''s\nlong'", "k:SELECT n:count k:from c:-- x k:where s:'it''s s:long'"},
	{"diff", "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same", "k:--- a k:+++ b @:@@ -1 +1 @@ -:-old +:+new"},
	{"dockerfile", "# x\nFROM go:1\nRUN make --all $X", "c:# x k:FROM #:1 k:RUN n:--all n:$X"},
	{"makefile", "# x\nA := 1\nall: $(A)\n\tgo build $@", "c:# x n:A #:1 n:all n:$(A) n:$@"},
}

const marks = ".kns#c+-@"

func TestEveryLanguageIsColoured(t *testing.T) {
	for _, sample := range samples {
		code := highlight.New(sample.language)
		if !code.Known() {
			t.Errorf("%s is not known", sample.language)
			continue
		}
		var found []string
		for _, line := range whole(sample.language, sample.code) {
			for _, token := range line {
				if token.Kind != highlight.Plain {
					found = append(found, fmt.Sprintf("%c:%s", marks[token.Kind], token.Text))
				}
			}
		}
		if got := strings.Join(found, " "); got != sample.want {
			t.Errorf("%s:\n got %s\nwant %s", sample.language, got, sample.want)
		}
	}
}

func whole(language, code string) [][]highlight.Token {
	reader := highlight.New(language)
	var lines [][]highlight.Token
	for line := range strings.SplitSeq(code, "\n") {
		reader.Add(line)
	}
	return append(append(lines, reader.Settle()...), reader.Rest()...)
}

// Lines that arrive one by one look in the end like lines that arrive at once, even if a string
// never ends.
func TestStreamedCodeLooksLikeWholeCode(t *testing.T) {
	for _, sample := range append(samples, struct{ language, code, want string }{"go", "x := `" + strings.Repeat("a\n", 700) + "` // y\nfunc", ""}) {
		reader := highlight.New(sample.language)
		var lines [][]highlight.Token
		for line := range strings.SplitSeq(sample.code, "\n") {
			reader.Open(line[:len(line)/2])
			reader.Add(line)
			lines = append(lines, reader.Settle()...)
		}
		lines = append(lines, reader.Rest()...)
		if got, want := fmt.Sprint(lines), fmt.Sprint(whole(sample.language, sample.code)); got != want {
			t.Errorf("%s streamed:\n%s\nwhole:\n%s", sample.language, got, want)
		}
	}
}

// No text is lost or added, whatever the input.
func FuzzCode(f *testing.F) {
	for _, sample := range samples {
		f.Add(sample.language, sample.code)
	}
	f.Fuzz(func(t *testing.T, language, code string) {
		if len(code) > 2000 {
			t.Skip()
		}
		code = strings.ToValidUTF8(strings.ReplaceAll(code, "\r", ""), "?")
		var text []string
		for _, line := range whole(language, code) {
			row := ""
			for _, token := range line {
				row += token.Text
			}
			text = append(text, row)
		}
		if got := strings.Join(text, "\n"); got != code {
			t.Errorf("%q became %q", code, got)
		}
	})
}

func TestAnOpenStringHoldsLinesBack(t *testing.T) {
	code := highlight.New("python")
	code.Add("x = '''")
	for range longest - 2 {
		code.Add("text")
	}
	if settled := code.Settle(); len(settled) > 0 {
		t.Errorf("%d lines are settled in an open string", len(settled))
	}
	code.Add("text")
	code.Add("def behind(it):")
	settled := code.Settle()
	if len(settled) != longest+1 || settled[1][0] != (highlight.Token{Kind: highlight.String, Text: "text"}) {
		t.Fatalf("%d lines are settled at last", len(settled))
	}
	if behind := settled[longest]; len(behind) == 0 || behind[0] != (highlight.Token{Kind: highlight.Keyword, Text: "def"}) {
		t.Errorf("behind them stands %+v", behind)
	}
}

// longest is the maximum number of lines of an unclosed string.
const longest = 200

// The other names of a language in fences, also with attributes after the name, and in capitals.
func TestEveryNameOfALanguage(t *testing.T) {
	for name, others := range map[string]string{
		"go": "golang", "python": "py python3 pycon", "javascript": "js jsx mjs ts tsx typescript", "bash": "sh shell zsh console shell-session shellsession terminal",
		"json": "jsonc json5 jsonl", "yaml": "yml", "toml": "ini conf cfg properties", "c": "h c++ cpp cc hpp cxx", "rust": "rs", "java": "kotlin kt scala",
		"html": "htm xml svg xhtml vue", "css": "scss less", "sql": "postgresql mysql sqlite psql", "diff": "patch udiff", "dockerfile": "docker containerfile", "makefile": "make mk",
	} {
		var code string
		for _, sample := range samples {
			code += sample.code + "\n"
		}
		want := fmt.Sprint(whole(name, code))
		for other := range strings.FieldsSeq(others) {
			for _, fence := range []string{other, " " + strings.ToUpper(other) + " linenos", other + "{1,3}"} {
				if !highlight.New(fence).Known() || fmt.Sprint(whole(fence, code)) != want {
					t.Errorf("%q does not look like %s", fence, name)
				}
			}
		}
	}
	for _, none := range []string{"", "text", "brainfuck", "g", "gogo"} {
		if highlight.New(none).Known() {
			t.Errorf("%q is known", none)
		}
	}
	plain := highlight.New("text")
	plain.Add("a")
	plain.Add("func b")
	if settled := plain.Settle(); fmt.Sprint(settled) != "[[{0 a}] [{0 func b}]]" || len(plain.Rest()) != 0 {
		t.Errorf("%v", settled)
	}
}
