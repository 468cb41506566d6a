package markup

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parse parses a page or a fragment, and omits its hidden parts. It includes the content of
// noscript, because no scripts run here.
func Parse(source string) *html.Node {
	document, err := html.ParseWithOptions(strings.NewReader(source), html.ParseOptionEnableScripting(false))
	if err != nil { // the document is too deeply nested for the parser
		document = &html.Node{Type: html.DocumentNode}
		document.AppendChild(&html.Node{Type: html.TextNode, Data: source})
	}
	dropUnseen(document)
	for node := range document.Descendants() {
		if node.Type == html.TextNode {
			node.Data = strings.ReplaceAll(node.Data, "\u00ad", "") // a soft hyphen is not text
		}
	}
	return document
}

// Text returns the content of HTML as plain text. Code blocks are fenced with ```.
func Text(source string) string { return NodeText(Parse(source)) }

// Line returns the text of an HTML fragment, joined into one line.
func Line(source string) string {
	if !strings.ContainsAny(source, "<&") {
		return strings.Join(strings.Fields(source), " ")
	}
	return strings.Join(strings.Fields(Text(source)), " ")
}

// NodeText is [Text] for a parsed document.
func NodeText(node *html.Node) string {
	var w writer
	if node.DataAtom == atom.Td || node.DataAtom == atom.Th {
		w.children(node) // a single cell is ordinary text
	} else {
		w.node(node)
	}
	return strings.TrimSpace(w.out.String())
}

// writer lays out text. It writes white space only when text follows.
type writer struct {
	out    strings.Builder
	breaks int    // pending line breaks
	space  bool   // a pending space
	indent string // the prefix of each line inside a list or a block quote
	mark   string // the prefix of the next line, such as a bullet; "" means the value of indent
	lists  int    // nesting depth of lists
	inPre  bool

	base           *url.URL // the base URL of relative links, or nil if the output is plain text
	flat           bool     // everything is on one line, without blocks
	inLink, inMenu bool
	menus          []*html.Node              // written last
	heads          map[*html.Node]*html.Node // cached results of headOf, by table
}

func (w *writer) node(node *html.Node) {
	switch {
	case node.Type == html.TextNode:
		w.text(node.Data)
	case node.Type == html.ElementNode && silent(node.DataAtom):
	case node.Type == html.ElementNode && !w.inPre:
		w.element(node)
	default:
		if node.DataAtom == atom.Br {
			w.raw("\n")
		}
		w.children(node)
	}
}

func (w *writer) children(node *html.Node) {
	for child := range node.ChildNodes() {
		w.node(child)
	}
}

func (w *writer) element(node *html.Node) {
	if w.base != nil && w.writeMarkdown(node) {
		return
	}
	switch node.DataAtom {
	case atom.Br:
		w.breaks = min(2, w.breaks+1)
		w.space = false
	case atom.Pre:
		w.pre(node)
	case atom.Code, atom.Kbd, atom.Samp:
		w.inlineCode(node)
	case atom.Ul, atom.Ol:
		w.list(node)
	case atom.Blockquote:
		w.indentBlock("> ", "> ", 2, node)
	case atom.Td, atom.Th:
		if w.breaks == 0 && hasCellBefore(node) {
			w.raw(" |")
			w.space = true
		}
		w.children(node)
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Table, atom.Hr:
		w.block(2, node)
	default:
		if inline(node.DataAtom) {
			w.children(node)
			return
		}
		w.block(1, node)
	}
}

// block writes an element on its own lines. Lists have no blank lines. The first block in a list
// item starts on the line with the item's bullet or number.
func (w *writer) block(breaks int, node *html.Node) {
	if w.lists > 0 {
		breaks = 1
	}
	w.breaks, w.space = max(w.breaks, breaks), false
	w.children(node)
	w.breaks, w.space = max(w.breaks, breaks), false
}

// indentBlock writes an element, and adds one prefix to the first line and another to the following
// lines.
func (w *writer) indentBlock(mark, indent string, breaks int, node *html.Node) {
	outer := w.indent
	w.breaks, w.space = max(w.breaks, breaks), false
	w.mark, w.indent = w.pendingMark()+mark, outer+indent
	w.children(node)
	w.indent, w.mark = outer, ""
	w.breaks, w.space = max(w.breaks, breaks), false
}

func (w *writer) pendingMark() string {
	return cmp.Or(w.mark, w.indent)
}

func (w *writer) list(list *html.Node) {
	breaks, number := 2, 1
	if w.lists > 0 {
		breaks = 1
	}
	w.lists++
	defer func() { w.lists-- }()
	if start := attribute(list, "start"); start != nil {
		if n, err := strconv.Atoi(*start); err == nil {
			number = n
		}
	}
	w.breaks, w.space = max(w.breaks, breaks), false
	for item := range list.ChildNodes() {
		if item.DataAtom != atom.Li {
			w.node(item)
			continue
		}
		mark := "- "
		if list.DataAtom == atom.Ol {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		w.indentBlock(mark, strings.Repeat(" ", len(mark)), 1, item)
	}
	w.breaks = max(w.breaks, breaks)
}

// pre writes preformatted text. The fence is longer than any run of backticks in the text.
func (w *writer) pre(node *html.Node) {
	inner := writer{inPre: true}
	inner.children(node)
	code := strings.Trim(strings.ReplaceAll(inner.out.String(), "\r\n", "\n"), "\n")
	if code == "" {
		return
	}
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	w.breaks, w.space = max(w.breaks, 2), false
	for line := range strings.SplitSeq(fence+"\n"+code+"\n"+fence, "\n") {
		w.word(line)
		w.breaks = 1
	}
	w.breaks = 2
}

func (w *writer) inlineCode(node *html.Node) {
	inner := writer{inPre: true}
	inner.children(node)
	code := strings.Join(strings.Fields(inner.out.String()), " ")
	if code != "" {
		w.word("`" + code + "`")
	}
}

func (w *writer) text(text string) {
	if w.inPre {
		w.raw(text)
		return
	}
	for i, word := range strings.Fields(text) {
		w.space = w.space || i > 0 || startsWithSpace(text)
		w.word(word)
	}
	w.space = w.space || endsWithSpace(text)
}

// word writes pending white space, and then a word or a line of code.
func (w *writer) word(word string) {
	switch {
	case w.out.Len() == 0 || w.breaks > 0:
		if w.out.Len() > 0 {
			w.raw(strings.Repeat("\n", w.breaks))
		}
		w.raw(w.pendingMark())
		w.mark = ""
	case w.space:
		w.raw(" ")
	}
	w.breaks, w.space = 0, false
	w.raw(word)
}

func (w *writer) raw(text string) { w.out.WriteString(text) }
