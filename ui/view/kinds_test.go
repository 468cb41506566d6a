package view_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/view"
)

// parts lists the names of the parts in golden files.
var parts = []string{"", "goes", "spaced", "indent", "margin", "frame", "bullet", "bar", "side"}

// taken returns the rows with roles, parts and addresses, a bar before each.
func taken(lines []view.Line) string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString("|")
		for _, span := range line {
			if span.Part == view.Margin {
				text.WriteString(span.Text)
				continue
			}
			mark := strings.Trim(roles[span.Role]+" "+parts[span.Part], " ")
			if span.Address != "" {
				mark += " to " + span.Address
			}
			if mark == "" {
				text.WriteString(span.Text)
			} else {
				fmt.Fprintf(&text, "<%s>%s</>", mark, span.Text)
			}
		}
		text.WriteString("\n")
	}
	return text.String()
}

// written lists Markdown texts with edge cases of the syntax.
var written = []string{
	"# One\ntext\n\n## Two with `code`, *more* and [a link](https://a.org)\n#\n####### seven\n#none",
	"a *b* **c** ***d*** ~~e~~ _f_ __g__ `h` ``i ` i`` *open **both* now**",
	"<https://a.org/x?y=z> <me@a.org> [me@a.org](mailto:me@a.org) [https://a.org](https://a.org) [other](https://b.org/a%20b) [file](file:///etc/passwd) [](https://e.org) [x]() ![pic](p.png) ![](https://p.org/p.png) [a\nb](https://c.org)",
	"[ref] and [ref][] and [text][ref] and [no]\n\n[ref]: https://r.org 'title'",
	`&lt; &amp;&#60;&#x3c; &nosuch; &; &verylongnamethatisnocharacteratallbutgoeson; & \& \a \\ \` + "\nend\\",
	"a<br>b<br/>c<BR />d<b>e</b><i\nf>g <!-- h -->",
	"hard  \nbreak\\\nsoft\n  led\n\tand a tab",
	"- a\n- b\n\n- c\n  d\n- \n- e\n\n  f\n* other\n+ third",
	"3. c\n4. d\n\n9) x\n10) y\n11) z",
	"- [ ] open\n- [x] shut\n- [X] Shut\n- [ ]\n- [x]  *marked* text that goes on and on\n1. [ ] numbered",
	"- one\n  - two\n    - three\n      - four that is long enough to wrap\n        - five",
	"> a\nlazy\n> b\n>\n> > c\n> - d\n\n> e",
	"```\nplain\n```\n```go\nfunc f() { return \"x\" } // y\n```\n~~~ py extra\ndef f():\n\tpass\n~~~\n   ```sh\n   ls\n  x\n   ```\n````\n```\n````\n```\nopen",
	"    indented\n\n    code\nnot",
	"***\n---\n___\ntext\n---\nmore\n===",
	"| a | b | c |\n|:--|--:|:-:|\n| 1 | 2 | 3 |\n| long words here | x | \\| |\n| `a\\|b` |\n|||||||\nafter",
	"| only |\n|---|\n\n|a|b|\n|-|-|\n|x<br>y|*z*|\n|averyveryveryverylongwordofit|averyveryveryverylongwordofit|",
	"<div>\n<p>x</p>\n</div>\n\n<pre>\n\na\n</pre> b\n<!-- c\nd -->\ne",
	"x[^1] y[^note] z[^none]\n\n[^1]: first *of* them\n    and more\n[^note]: second\n\n    - with a list",
	"日本語のテキストは どこでも、折り返せる。(かっこ)「も」\n\n👨‍👩‍👧👍🏽 e\u0301 ก็ end",
	"\\* no\n\\- no\n1\\. no\n\\# no\n\\`no\\`",
	"",
	"\n\n \n",
	"a\n\n\n\nb\n \nc\n",
	"a\r\nb\r\n\r\nc",
}

func TestMarkdownRows(t *testing.T) {
	var all strings.Builder
	for _, text := range written {
		fmt.Fprintf(&all, "== %q\n", text)
		before := ""
		for _, width := range []int{40} {
			rows := taken(view.Markdown(text, width))
			if rows != before {
				fmt.Fprintf(&all, "%d:\n%s", width, rows)
			}
			before = rows
		}
		v := shown(messages.TurnStarted{}, messages.Text{Chunk: text})
		for i, code := range v.Blocks[1].Codes() {
			fmt.Fprintf(&all, "code %d: %q\n", i, code)
		}
	}
	goldentest.Assert(t, "kinds.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
