package markup

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"marvin/persistence/goldentest"
)

// Each kind of element is converted to text and Markdown, alone and inside others.
func TestMarkupElements(t *testing.T) {
	base, err := url.Parse("https://site.example/docs/start?x=1#here")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	long := strings.Repeat("x", longestAddress-len("https://site.example/"))
	for _, page := range []string{
		"a<br><br><br><br>b", "<br>a<br>", "<p>a<br></p>b", "<p>a</p>\n<p></p>b<div></div>c", "a <div> b </div> c", "<h1>a</h1><h2>b</h2><h6>c</h6>d", "<ul><li>a<h2>b</h2>c<li>d<p>e<p>f</ul>g", "<h2></h2>a<h3> <b></b> </h3>b",
		"<ul>x<li>a<!-- c --><div>y</div><li>b</ul>", "<ol start=x><li>a</ol>", "<ol start=-1><li>a<li>b<li>c</ol>", "<ul><li>a<ol><li>b<blockquote>c<p>d</blockquote></ol>e<li></ul>f", "<ul><li></ul>a", "<menu><li>a</menu>", "<dl><dt>a<dd>b</dl>",
		"<blockquote>a<blockquote>b</blockquote><ul><li>c</ul></blockquote>d", "<blockquote></blockquote>a", "<pre></pre>a", "<pre>\n\n a\r\n\r\nb \n\n</pre>c", "<pre>a<br>b<b>c</b></pre>", "<ul><li><pre>a\nb</pre>c</ul>", "<pre>```` a ```</pre>", "<h2>a<pre>b  c</pre></h2>",
		"a<code> b  c </code>d <kbd>e</kbd><samp>f</samp><code> </code>", "<p>a&nbsp;b</p> c", "<b> a </b>b<i>c </i> d", "<my-tag>a</my-tag>b", "<button>a</button><label>b</label><input value=c>d", "<a>x</a><a href>y</a><a href=''>z</a>",
		"<a href='/x'>a <b>b</b></a>c <a href='/y'> d</a>e<a href='z'>f </a>g", "<a href='#a'>a</a><a href='#'>b</a><a href='?x=1#c'>#</a> <a href='start?x=1#d'>§ 1</a><a href='start?x=2#d'>e</a>", "<a href='ftp://a/b'>a</a> <a href='//other/b(c'>b</a> <a href=' /c '>c</a>",
		"<a href='/" + long + "'>a</a>", "<a href='/" + long + "y'>a</a>", "<a href=/a>[a] b</a>", "<a href=/a><a href=/b>c</a>d</a>", "<div><a href=/a><div>T</div><div>b<br><br><br>c</div><a href=/b>d</a></a>e</div>", "<a href=/a><p></p><h4># [x]</h4></a>", "<ul><li><a href=/a><p>T<p>u</a><li>v</ul>",
		"<h2><a href=/a><p>b</p></a></h2>", "<a href=/a><img alt=b></a><a href=/b>!</a><a href='#c'>!</a>", "<nav></nav>a", "<nav>a<nav>b</nav></nav>c<nav><ul><li>d</ul></nav>", "<h2><nav>a</nav></h2>", "a<hr><hr>b<ul><li>c<hr>d</ul>", "<hr>", "<h3>a<hr>b</h3>",
		"<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3</table>x", "<table><tr><th>A<tr><td>1</table>", "<table><tr><th>A<td>B<tr><td>1<td>2</table>", "<table><caption>C</caption><thead><tr><th>A<th>B</thead><tbody><tr><th>1<td>2|3<br>4</tbody></table>", "<table></table>a", "<table><tr></tr></table>a",
		"<table><tr><th>A<th>B<tr><td><table><tr><th>C<th>D<tr><td>5<td>6</table><td>7</table>", "<ul><li><table><tr><th>A<th>B<tr><td>1<td>2</table></ul>", "<h2><table><tr><th>A<th>B</table></h2>", "<table><tr><td>a</td> <td>b</td><td></td><td>c</td></tr></table>", "<table><tr><td><p>a</p></td><td>b</td></tr></table>",
		"<script>a</script><style>b</style><template>c</template><iframe>d</iframe><svg>e</svg><object>f</object><canvas>g</canvas><audio>h</audio><video>i</video><datalist><option>j</datalist><math><mi>k</mi></math>l", "<select><option>a<option>b</select>", "<p hidden>a</p><p hidden style='display:block'>b</p>c", "<td>a</td>",
	} {
		fmt.Fprintf(&text, "%s\n    text %q\n    line %q\n    mark %q\n", strings.Replace(page, long, "LONG", 1), Text(page), Line(page), strings.Replace(Markdown(Parse(page), base), long, "LONG", 1))
	}
	for cell := range Parse("<table><tr><td>a<td>b</table>").Descendants() {
		if cell.DataAtom == atom.Td || cell.DataAtom == atom.Tr {
			fmt.Fprintf(&text, "%s alone: %q\n", cell.Data, NodeText(cell))
		}
	}
	row := &html.Node{Type: html.ElementNode, DataAtom: atom.Tr, Data: "tr"}
	row.AppendChild(&html.Node{Type: html.TextNode, Data: "of no table"})
	fmt.Fprintf(&text, "tr alone: %q\n", Markdown(row, base))
	goldentest.Assert(t, "elements.txt", text.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestStyles(t *testing.T) {
	var text strings.Builder
	for _, one := range strings.Split("display:none|display:None !important|display:block|content-visibility:hidden|content-visibility:auto|opacity:0|opacity:0.05|opacity:.051|opacity:5%|opacity:0%|opacity:var(--x)|opacity:calc(0)|filter:opacity(0)|filter:opacity(0.5)|filter:opacity(1)|filter:blur(0)|zoom:0|zoom:0.05|zoom:0.06|"+
		"transform:scale(0)|transform:scale(1)|transform:translate(-999px)|transform:translate(-998px,-999px)|transform:translateX(-998px)|transform:translate(50%)|transform:translate(-200%)|transform:translate(-199%)|transform:rotate(-9999deg)|transform:translate(9000px)|"+
		"clip:auto|clip:rect(0 0 0 0)|clip:rect(1px,1px,1px,1px)|clip:rect(0,2px,0,0)|clip:inset(0)|clip:rect()|clip-path:inset(50%)|clip-path:inset(100%)|clip-path:inset(49%)|clip-path:circle(0)|clip-path:circle(1)|"+
		"overflow:hidden;height:0|overflow:hidden;height:1px|overflow:hidden;height:2px|overflow:clip;width:0|overflow:visible;width:0|overflow:hidden;max-height:0|overflow:hidden;max-width:0px|overflow:hidden;width:0%|overflow:hidden;width:1%|overflow:hidden;width:0.05em|overflow:hidden;width:0.06em|overflow:hidden;width:0vw|overflow:hidden;height:1vh|height:0|"+
		"left:-999px|left:-998px|left:8991px|left:8990px|top:-9999px|right:-9999px|bottom:-9999px|text-indent:-9999px|margin-left:-9999px|margin-top:-9999px|margin-right:-9999px|margin-bottom:-9999px|inset:0 0 0 -999px|inset:0 0 -999px|left:-62em|left:-63em|left:-100vw|left:-200vw|left:999vw|left:1000vw|top:-200vh|top:1000%|top:-199%|left:auto|left:1e3|left:-1000000000em|"+
		"font-size:0|font-size:1px|font-size:1.1px|font-size:0em|font-size:0.05em|font-size:0.06em|font-size:0%|font-size:100%|font-size:small|visibility:hidden|visibility:collapse|visibility:visible|color:transparent|color:#0000|color:#000f|color:#00000000|color:#00000001|color:#0000000|color:rgba(1,2,3,0)|color:rgba(1,2,3,.05)|color:rgba(1,2,3,.06)|color:rgba(1,2,3)|color:hsla(1,2,3,0)|color:hsl(1,2,3)|"+
		"color:transparent;background-clip:text|color:transparent;-webkit-background-clip:text|color:#fff|color:white|color:#fff;background:#000|color:#fff;background:#f7f7f7|color:#fff;background:#f6f6f6|color:#ffff;background:#fff|color:black;background:black|color:#123;background:#112233|color:rgb(1,2,3);background:#010203|color:rgb(1,2,300);background:#010203|color:red;background:red|color:red;background:#f00|"+
		"color:#fff;background:none|color:#fff;background:transparent|color:#fff;background:url(x)|color:#fff;background:white url(x)|color:#fff;background-image:url(x)|color:#fff;background-color:#fff;background:#000|color:#ggg;background:#ggg|color:#ff|background:rgb(|; : ;x|COLOR : #FFF", "|") {
		set := declarations(one)
		node := &html.Node{Type: html.ElementNode, Data: "p"}
		how := seen{ink: "000000", behind: "ffffff"}.lookIn(node, set)
		fmt.Fprintf(&text, "%s = hides %v; %+v hides %v; media %d of %d\n", one, set.hides(), how, how.hides(), len(certainProperties(declarations(one), true)), len(set))
	}
	for _, selector := range []string{"p", "P", "p.a", ".a.b", "#i", "p#i.a", "..a", "#", ".", "", "p a", "p>a", "p:hover", "p[x]", "*", "a\\:b", "a,b", "p+a", "p~a", "&"} {
		one, key, ok := simple(selector)
		fmt.Fprintf(&text, "%q = %+v %q %v\n", selector, one, key, ok)
	}
	for _, css := range []string{"p{a:b}q{c:d}", "p{a:b;}}q{c:d}", "@import x; p{a:b}", "@media x{p{display:none}q{color:red}}r{a:b}", "@media x{@media y{p{display:none}}}q{a:b}", "/* p{} */q{/* a */c:d}/* e", "p,q , r s{a:b}", "p{a:b", "p", "{a:b}", "p{}{}q{a:b}", "a;p{c:d}"} {
		found := sheetOf(Parse("<style>" + css + "</style>"))
		fmt.Fprintf(&text, "%s = %v, usual %+v\n", css, found.rules, found.usual)
	}
	for _, head := range []string{"<style>p{color:red}</style>", "<style>p{background:red}</style>", "<style>@import x</style>", "<link rel=icon>", "<link rel='alternate StyleSheet'>", "<link>", "<style></style>"} {
		fmt.Fprintf(&text, "%s = usual %+v\n", head, sheetOf(Parse(head)).usual)
	}
	goldentest.Assert(t, "styles.txt", text.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// Rules and attributes are combined on a page.
func TestStyleRules(t *testing.T) {
	const long = "A long enough text for all that is hidden beside it, so that it is not most of it. "
	for page, want := range map[string]string{
		"<style>p{display:none}</style><p>x": "", "<style>p.a{display:none}</style><p class=b>x": "x", "<style>p#i{display:none}</style><p id=j>x": "x", "<style>p#i{display:none}</style><div id=i>x</div>": "x", "<style>.a.b{display:none}</style><p class='b c a'>x": "",
		"<style>#i{display:none}.a{display:block}p{display:inline}</style><p id=i class=a>x": "", "<style>.a{display:none}</style><p class=a style='display:block'>x": "x", "<p style='display:none'>x<p>y": "y",
		"<font color=white>x</font>": "", "<p color=white>x": "x", "<font color=white style='color:red'>x</font>": "x", "<table bgcolor=#000><tr><td><font color=#000>x</font></table>": "", "<p bgcolor=#000 style='background:#fff;color:#000'>x": "x",
		"<p hidden>x": "", "<p hidden style='display:flex'>x": "x", "<p aria-hidden=TRUE>x": "", "<p aria-hidden>x": "x", "<span><math></math></span><span aria-hidden=true>x</span>": "x", "<math></math><span aria-hidden=true>x</span>": "x", "<span><b></b></span><span aria-hidden=true>x</span>": "",
		"<style>" + strings.Repeat(".a{color:red}", 100) + ".a{display:none}</style><p class=a>x": "x", "<style>" + strings.Repeat(".a{color:red}", 99) + ".a{display:none}</style><p class=a>x": "",
		"<style>" + strings.Repeat(" ", mostStyle) + "p{display:none}</style><p>x": "x", "<style>" + strings.Repeat(" ", mostStyle-16) + "p{display:none}</style><p>x": "", "<style>" + strings.Repeat(" ", mostStyle) + "</style><style>p{display:none}</style><p>x": "x",
	} {
		got := strings.TrimSpace(strings.TrimPrefix(Text("<div>"+long+"</div>"+page), strings.TrimSpace(long)))
		if got != want {
			t.Errorf("%.80s: %q, want %q", page, got, want)
		}
	}
	for hidden, noted := range map[int]bool{9: false, 10: false, 11: true} {
		got := Text("<p>" + strings.Repeat("s", 10) + "</p><script>much more of a script</script><p hidden>" + strings.Repeat("h", hidden) + "</p>")
		if strings.HasPrefix(got, mostlyHidden) != noted || strings.Contains(got, "h") != noted && strings.Contains(got, "hh") != noted {
			t.Errorf("%d letters are hidden: %q", hidden, got)
		}
	}
}
