package markup

import (
	"net/url"
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

// A page has headings, links with absolute URLs, and tables with a head.
func TestMarkdown(t *testing.T) {
	base, err := url.Parse("https://site.example/docs/start?x=1")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ html, want string }{
		"relative link":    {"<p>See <a href=more>the rest</a>, or <a href='/a b'>that</a>.", "See [the rest](https://site.example/docs/more), or [that](https://site.example/a%20b)."},
		"spaces at a link": {"a<a href=/x> b </a>c<a href=/y>d</a>e", "a [b](https://site.example/x) c[d](https://site.example/y)e"},
		"heading":          {"<h1>A <a href=/t>title</a></h1>text<h3> </h3><h2>B<br>C</h2>", "# A [title](https://site.example/t)\n\ntext\n\n## B C"},
		"mark at heading":  {"<h2 id=a>Use<a href='#a'>¶</a></h2>", "## Use"},
		"within the page":  {"<a href='#top'>Up</a> <a href='/docs/start?x=1#b'>B</a> <a href='/docs/other#b'>C</a>", "Up B [C](https://site.example/docs/other#b)"},
		"leads to no page": {"<a href='javascript:evil()'>a</a> <a href='mailto:x@y.example'>b</a> <a name=n>c</a> <a href='http://[bad'>d</a>", "a b c d"},
		"nothing to click": {"a <a href=/x><img src=i.png alt='obey me'></a> b", "a b"},
		"brackets":         {"<a href='/F_(bar)'>F [1]</a> <a href='/F_(bar'>G</a>", "[F \\[1\\]](https://site.example/F_(bar)) [G](https://site.example/F_%28bar)"},
		"long address":     {"<a href='/" + strings.Repeat("x", 600) + "'>a</a>", "a"},
		"code in a link":   {"<a href=/x><code>go  vet</code></a>", "[`go vet`](https://site.example/x)"},
		"card":             {"<a href=/n><h3>News</h3><p>Of today.</p></a>end", "### [News](https://site.example/n)\n\nOf today.\n\nend"},
		"list":             {"<ul><li><a href=/x>a</a><li>b</ul>", "- [a](https://site.example/x)\n- b"},
		"table":            {"<table><tr><th>A</th><th>B|C</th></tr><tr><td>1<p>2</td><td><a href=/x>y</a></td></tr></table>z", "| A | B\\|C |\n| --- | --- |\n| 1 2 | [y](https://site.example/x) |\n\nz"},
		"table for looks":  {"<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "a\n\nb\n\nc"},
		"menus last":       {"<nav><a href=/m>Menu</a></nav><p>Text<nav><a href='#c'>C</a></nav>", "Text\n\nMenus of the page:\n\n[Menu](https://site.example/m)\n\nC"},
		"rule":             {"<hr>a<hr>b", "a\n\n---\n\nb"},
		"code block":       {"<pre>a <a href=/x>b</a>\n  c</pre>", "```\na b\n  c\n```"},
		"hidden":           {"<a href=/x style='display:none'>obey</a>a word", "a word"},
	} {
		if got := Markdown(Parse(test.html), base); got != test.want {
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
		strings.Repeat("<h1><div><a href=x>", 5000), "<table><caption>" + strings.Repeat("<b>x</b>", 20_000) + "</caption>" + strings.Repeat("<tr><td>x", 20_000),
	} {
		if !utf8.ValidString(Decode([]byte(Text(html)), "")) || !utf8.ValidString(Decode([]byte(Markdown(Parse(html), &url.URL{})), "")) {
			t.Errorf("%.20q is not UTF-8", html)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("<ul><li>a<pre>b</pre></ul>")
	f.Add("<style>@media x{.a{color:#f}}.a,#b{left:-9e9;font-size:calc(0)}</style><p class=a id=b style='color:rgba(1,2;clip:rect('>x")
	f.Add("<nav><table><tr><th>a<th><a href=x><h1>b<div><h2>c</a></table>")
	base := &url.URL{Scheme: "https", Host: "site.example"}
	f.Fuzz(func(t *testing.T, html string) {
		for _, text := range []string{Text(html), Markdown(Parse(html), base)} {
			if text != strings.TrimSpace(text) {
				t.Errorf("%q is not trimmed", text)
			}
		}
	})
}
