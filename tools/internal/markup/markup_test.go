package markup

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for name, test := range map[string]struct{ html, want string }{
		"paragraphs":      {"<p>One\n  two</p><p>three</p>", "One two\n\nthree"},
		"inline":          {"a<b>b</b> <i>c</i>d, <a href=x>e</a>.", "ab cd, e."},
		"entities":        {"<p>Fish &amp; chips &lt;b&gt; &#8364;5&nbsp;each", "Fish & chips <b> €5 each"},
		"hard spaces":     {"<b>5</b>&nbsp;€&nbsp;<i>each</i>", "5 € each"},
		"breaks":          {"one<br>two<br><br><br>three", "one\ntwo\n\nthree"},
		"divs":            {"<div>a<div>b</div></div><div>c</div>", "a\nb\nc"},
		"heading":         {"<h1>T</h1>text", "T\n\ntext"},
		"list":            {"<p>x</p><ul><li>a<li><p>b</p><ul><li>c</ul></ul>y", "x\n\n- a\n- b\n  - c\n\ny"},
		"numbered":        {"<ol start=9><li>a</li><li>b<br>c</li></ol>", "9. a\n10. b\n    c"},
		"item in item":    {"<ul><li><ul><li>deep</ul></ul>", "- - deep"},
		"quote":           {"<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"},
		"table":           {"<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td></td><td>3</td></tr></table>", "A | B\n1 | | 3"},
		"code block":      {"<p>Do:</p><pre><code>if x:\n    y()\n\n  z</code></pre><p>Done", "Do:\n\n```\nif x:\n    y()\n\n  z\n```\n\nDone"},
		"code in a list":  {"<ol><li>a<pre>b\n c</pre></ol>", "1. a\n\n   ```\n   b\n    c\n   ```"},
		"fence in code":   {"<pre>```\nx</pre>", "````\n```\nx\n````"},
		"inline code":     {"use <code>go  test</code>, not <code></code>x", "use `go test`, not x"},
		"nothing to read": {"<head><title>T</title></head><script>alert(1)</script><style>p{}</style><p hidden>h</p><svg><text>s</text></svg>x", "x"},
		"noscript":        {"<noscript><p>no <b>script</b></p></noscript>", "no script"},
		"comment":         {"a<!-- b -->c", "ac"},
		"broken":          {"<p>a <b>b <div <i>c</p> &nope; <", "a b\n\nc\n\n&nope; <"},
		"empty":           {"", ""},
	} {
		if got := Text(test.html); got != test.want {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, test.want)
		}
	}
}

func TestLine(t *testing.T) {
	for html, want := range map[string]string{"a <b>b</b>\n<p>c": "a b c", " plain \n text ": "plain text", "1 &lt; 2": "1 < 2"} {
		if got := Line(html); got != want {
			t.Errorf("%q: %q", html, got)
		}
	}
}

func TestPagesInOtherEncodings(t *testing.T) {
	for name, test := range map[string]struct{ body, kind, want string }{
		"header":      {"caf\xe9", "text/html; charset=ISO-8859-1", "café"},
		"meta":        {"<meta charset=shift_jis>\x93\xfa\x96{", "text/html", "<meta charset=shift_jis>日本"},
		"mark":        {"\xef\xbb\xbfé", "text/html", "é"},
		"utf-8":       {"é日", "text/html; charset=utf-8", "é日"},
		"late":        {strings.Repeat("x", 2000) + "é", "text/html", strings.Repeat("x", 2000) + "é"},
		"a lie":       {"caf\xe9", "text/html; charset=utf-8", "caf�"},
		"no such one": {"é", "text/html; charset=klingon", "é"},
	} {
		if got := strings.TrimPrefix(Decode([]byte(test.body), test.kind), "\ufeff"); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestHostilePagesEnd(t *testing.T) {
	for _, html := range []string{
		strings.Repeat("<div>", 100_000) + "x", strings.Repeat("<ul><li>", 20_000) + "x", strings.Repeat("<b>", 50_000), "\x00\xff<p \x00>", strings.Repeat("<table><td>", 5000),
	} {
		if !utf8.ValidString(Decode([]byte(Text(html)), "")) {
			t.Errorf("%.20q is not UTF-8", html)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("<ul><li>a<pre>b</pre></ul>")
	f.Add("<style>@media x{.a{color:#f}}.a,#b{left:-9e9;font-size:calc(0)}</style><p class=a id=b style='color:rgba(1,2;clip:rect('>x")
	f.Fuzz(func(t *testing.T, html string) {
		if text := Text(html); text != strings.TrimSpace(text) {
			t.Errorf("%q is not trimmed", text)
		}
	})
}
