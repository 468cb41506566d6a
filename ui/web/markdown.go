package web

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"

	"marvin/ui/internal/gfm"
	"marvin/ui/internal/highlight"
	"marvin/ui/termsafe"
)

// escape escapes external text for a page.
func escape(text string) string { return html.EscapeString(termsafe.String(text)) }

// markdown renders Markdown as HTML. It escapes HTML in the source, so that users see the tags as
// text.
func markdown(text string) string {
	w := &writer{source: []byte(termsafe.String(text))}
	w.blocks(gfm.Parse(w.source))
	return w.out.String()
}

// markdownBlocks renders each block of Markdown separately, because only the last blocks change
// while an answer grows.
func markdownBlocks(text string) (all []string) {
	source := []byte(termsafe.String(text))
	root := gfm.Parse(source)
	for node := root.FirstChild(); node != nil; node = node.NextSibling() {
		w := &writer{source: source}
		w.block(node)
		all = append(all, w.out.String())
	}
	return all
}

type writer struct {
	source []byte
	out    strings.Builder
}

func (w *writer) put(format string, values ...any) { fmt.Fprintf(&w.out, format, values...) }

func (w *writer) blocks(parent ast.Node) {
	for node := parent.FirstChild(); node != nil; node = node.NextSibling() {
		w.block(node)
	}
}

func (w *writer) block(node ast.Node) {
	switch node := node.(type) {
	case *ast.Heading:
		level := min(node.Level+2, 6) // the page uses h1 for its title and h2 for speakers
		w.put("<h%d>", level)
		w.inlines(node)
		w.put("</h%d>\n", level)
	case *ast.List:
		w.list(node)
	case *ast.Blockquote:
		w.putElement("blockquote", node)
	case *ast.FencedCodeBlock:
		w.put("%s", code(string(node.Language(w.source)), w.lines(node)))
	case *ast.CodeBlock:
		w.put("%s", code("", w.lines(node)))
	case *ast.ThematicBreak:
		w.put("<hr>\n")
	case *ast.HTMLBlock:
		text := w.lines(node)
		if node.HasClosure() {
			text += string(node.ClosureLine.Value(w.source))
		}
		w.put("<p>%s</p>\n", escape(text))
	case *extension.Table:
		w.table(node)
	case *gfm.Note:
		w.put("<div class=\"note\"><sup>%s</sup> ", escape(node.Label))
		w.blocks(node)
		w.put("</div>\n")
	case *ast.TextBlock:
		w.inlines(node)
	default:
		w.put("<p>")
		w.inlines(node)
		w.put("</p>\n")
	}
}

func (w *writer) putElement(tag string, node ast.Node) {
	w.put("<%s>", tag)
	w.blocks(node)
	w.put("</%s>\n", tag)
}

func (w *writer) list(list *ast.List) {
	tag, from := "ul", ""
	if list.IsOrdered() {
		tag = "ol"
		if list.Start != 1 {
			from = fmt.Sprintf(" start=\"%d\"", list.Start)
		}
	}
	w.put("<%s%s>\n", tag, from)
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		w.putElement("li", item)
	}
	w.put("</%s>\n", tag)
}

func (w *writer) table(table *extension.Table) {
	w.put("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table>\n")
	cell := "th scope=\"col\""
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		w.put("<tr>")
		column := 0
		for one := row.FirstChild(); one != nil; one = one.NextSibling() {
			align := ""
			if column < len(table.Alignments) && table.Alignments[column] != extension.AlignLeft {
				align = map[extension.Alignment]string{extension.AlignCenter: " class=\"mid\"", extension.AlignRight: " class=\"end\""}[table.Alignments[column]]
			}
			w.put("<%s%s>", cell, align)
			w.inlines(one)
			w.put("</%s>", cell[:2])
			column++
		}
		w.put("</tr>\n")
		cell = "td"
	}
	w.put("</table></div>\n")
}

// lines returns the source text of a block.
func (w *writer) lines(node ast.Node) string {
	var text strings.Builder
	for i := range node.Lines().Len() {
		segment := node.Lines().At(i)
		text.Write(segment.Value(w.source))
	}
	return text.String()
}

func (w *writer) inlines(parent ast.Node) {
	for node := parent.FirstChild(); node != nil; node = node.NextSibling() {
		w.inline(node)
	}
}

func (w *writer) inline(node ast.Node) {
	switch node := node.(type) {
	case *ast.Text:
		w.put("%s", escape(gfm.Plain(string(node.Segment.Value(w.source)))))
		if node.SoftLineBreak() || node.HardLineBreak() {
			w.put("<br>\n") // keep the line breaks, because models and tools rely on them
		}
	case *ast.CodeSpan:
		w.put("<code>%s</code>", escape(w.span(node)))
	case *ast.Emphasis:
		w.tagged(map[bool]string{true: "em", false: "strong"}[node.Level == 1], node)
	case *extension.Strikethrough:
		w.tagged("del", node)
	case *gfm.Mark:
		w.put("<sup>%s</sup>", escape(node.Label))
	case *extension.TaskCheckBox:
		w.put("%s ", map[bool]string{true: "☑", false: "☐"}[node.IsChecked])
	case *ast.Link:
		w.link(node, string(node.Destination))
	case *ast.Image:
		w.put("🖼 ")
		w.link(node, string(node.Destination))
	case *ast.AutoLink:
		w.put("%s", anchor(string(node.URL(w.source)), escape(string(node.Label(w.source)))))
	case *ast.RawHTML:
		for i := range node.Segments.Len() {
			segment := node.Segments.At(i)
			w.put("%s", escape(string(segment.Value(w.source))))
		}
	case *ast.String:
		w.put("%s", escape(string(node.Value)))
	default:
		w.inlines(node)
	}
}

func (w *writer) tagged(tag string, node ast.Node) {
	w.put("<%s>", tag)
	w.inlines(node)
	w.put("</%s>", tag)
}

func (w *writer) span(node *ast.CodeSpan) string {
	var text strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		if piece, is := child.(*ast.Text); is {
			text.Write(piece.Segment.Value(w.source))
		}
	}
	return strings.ReplaceAll(text.String(), "\n", " ")
}

// link writes a link. If the address differs from the text, the address follows, so that the text
// cannot deceive the reader.
func (w *writer) link(node ast.Node, target string) {
	inner := &writer{source: w.source}
	inner.inlines(node)
	text, target := inner.out.String(), gfm.Plain(target)
	w.put("%s", anchor(target, text))
	if escape(target) != text && target != "" {
		w.put(" <span class=\"quiet\">(%s)</span>", escape(target))
	}
}

// anchor returns a link if target is a web or email address, and only the inner HTML otherwise.
func anchor(target, inner string) string {
	address, err := url.Parse(target)
	if err != nil || len(target) > 2000 || !slices.Contains([]string{"http", "https", "mailto"}, address.Scheme) {
		return inner
	}
	return fmt.Sprintf("<a href=\"%s\" rel=\"noreferrer noopener\" target=\"_blank\">%s</a>", html.EscapeString(address.String()), inner)
}

// classes contains the CSS classes of code tokens, indexed by kind.
var classes = [...]string{highlight.Keyword: "k", highlight.Name: "f", highlight.String: "s", highlight.Number: "n", highlight.Comment: "c", highlight.Added: "add", highlight.Removed: "del", highlight.Hunk: "hunk"}

// code renders a code block with syntax highlighting.
func code(language, text string) string {
	code := highlight.New(language)
	for line := range strings.Lines(text) {
		code.Add(termsafe.String(strings.TrimSuffix(line, "\n")))
	}
	label := "code"
	if language != "" {
		label = language + " code"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<pre tabindex=\"0\" role=\"region\" aria-label=\"%s\"><code>", escape(label))
	for _, line := range append(code.Settle(), code.Rest()...) {
		for _, token := range line {
			if class := classes[token.Kind]; class != "" {
				fmt.Fprintf(&out, "<span class=\"%s\">%s</span>", class, escape(token.Text))
			} else {
				out.WriteString(escape(token.Text))
			}
		}
		out.WriteByte('\n')
	}
	out.WriteString("</code></pre>\n")
	return out.String()
}

// verbatim renders text without formatting.
func verbatim(label, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return fmt.Sprintf("<pre tabindex=\"0\" role=\"region\" aria-label=\"%s\">%s</pre>\n", escape(label), escape(text))
}
