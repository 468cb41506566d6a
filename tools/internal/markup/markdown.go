package markup

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// longestAddress is the maximum length of a URL in the text, in bytes. Longer URLs usually contain
// the state of a page, and cost more than the words around them.
const longestAddress = 500

// Markdown is like [NodeText], but adds headings, absolute URLs of links, and tables that have a
// header row. Menus come last, so that a truncated text begins with the content. Emphasis is
// omitted, because it costs two to four bytes per word and carries little information. Pictures are
// omitted, because their alternative text could hide words.
func Markdown(node *html.Node, base *url.URL) string {
	w := writer{base: base}
	w.node(node)
	if menus := w.menus; len(menus) > 0 {
		w.menus, w.inMenu = nil, true
		w.breaks = 2
		w.word("Menus of the page:")
		for _, menu := range menus {
			w.block(2, menu)
		}
	}
	return strings.TrimSpace(w.out.String())
}

// writeMarkdown writes an element that has a special form in Markdown. It returns false for other
// elements.
func (w *writer) writeMarkdown(node *html.Node) bool {
	switch node.DataAtom {
	case atom.A:
		return w.link(node)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return w.heading(node)
	case atom.Hr:
		switch {
		case w.flat:
			w.space = true
		case w.out.Len() > 0:
			w.breaks = 2
			w.word("---")
			w.breaks = 2
		}
		return true
	case atom.Nav:
		if !w.inMenu && !w.flat {
			if strings.TrimSpace(textContent(node)) != "" {
				w.menus = append(w.menus, node)
			}
			return true
		}
	case atom.Tr:
		return w.writeRow(node)
	case atom.Pre:
		if w.flat {
			w.space = true
			w.inlineCode(node)
			w.space = true
			return true
		}
	}
	return false
}

// line returns the content of an element as a single line.
func (w *writer) line(node *html.Node, inLink bool) string {
	inner := writer{base: w.base, flat: true, inLink: w.inLink || inLink}
	inner.children(node)
	return strings.Join(strings.Fields(inner.out.String()), " ")
}

func (w *writer) heading(node *html.Node) bool {
	if w.flat {
		return false
	}
	text, breaks := w.line(node, false), 2
	if w.lists > 0 {
		breaks = 1
	}
	w.breaks, w.space = max(w.breaks, breaks), false
	if text == "" {
		return true
	}
	w.word(strings.Repeat("#", int(node.Data[1]-'0')) + " " + text)
	w.breaks, w.space = breaks, false
	return true
}

// link writes the text and the URL of a link. For a link within the page, it writes only the text,
// and drops text without letters and digits.
func (w *writer) link(node *html.Node) bool {
	if w.inLink {
		return false
	}
	address, samePage := w.target(node)
	if address == "" && !samePage {
		return false
	}
	if !w.flat && address != "" && holdsBlocks(node) {
		return w.card(node, address)
	}
	text := w.line(node, true)
	if text == "" || samePage && !strings.ContainsFunc(text, isLetterOrDigit) {
		return true
	}
	if address != "" {
		text = "[" + escapeBrackets(text) + "](" + address + ")"
	}
	words := textContent(node)
	w.space = w.space || startsWithSpace(words)
	w.word(text)
	w.space = endsWithSpace(words)
	return true
}

// card writes a link that contains blocks, for example a title and a summary. Only the first line
// becomes a Markdown link.
func (w *writer) card(node *html.Node, address string) bool {
	inner := writer{base: w.base, inLink: true}
	inner.children(node)
	text := strings.TrimSpace(inner.out.String())
	w.breaks, w.space = max(w.breaks, 1), false
	for i, line := range strings.Split(text, "\n") {
		if i == 0 && line != "" {
			title := strings.TrimLeft(line, "# ")
			line = line[:len(line)-len(title)] + "[" + escapeBrackets(title) + "](" + address + ")"
		}
		if line == "" {
			w.breaks = min(2, w.breaks+1)
			continue
		}
		w.word(line)
		w.breaks = 1
	}
	w.breaks = max(w.breaks, inner.breaks)
	return true
}

// target returns the absolute URL of a link. For a link within the page, address is "" and samePage
// is true.
func (w *writer) target(node *html.Node) (address string, samePage bool) {
	href := attribute(node, "href")
	if href == nil {
		return "", false
	}
	target, err := w.base.Parse(strings.TrimSpace(*href))
	if err != nil || target.Scheme != "http" && target.Scheme != "https" {
		return "", false
	}
	page, own := *target, *w.base
	page.Fragment, page.RawFragment, own.Fragment, own.RawFragment = "", "", "", ""
	if target.Fragment != "" && page.String() == own.String() {
		return "", true
	}
	address = target.String()
	if len(address) > longestAddress {
		return "", false
	}
	if strings.Count(address, "(") != strings.Count(address, ")") {
		address = strings.NewReplacer("(", "%28", ")", "%29").Replace(address)
	}
	return address, false
}

// writeRow writes a table row on one line, and adds a line of dashes below a header row. It returns
// false for a layout table, which has no header row.
func (w *writer) writeRow(row *html.Node) bool {
	if w.flat {
		return false
	}
	head := w.headOf(row)
	if head == nil {
		return false
	}
	var cells, rule []string
	for cell := range row.ChildNodes() {
		if cell.DataAtom == atom.Td || cell.DataAtom == atom.Th {
			cells = append(cells, strings.ReplaceAll(w.line(cell, false), "|", `\|`))
			rule = append(rule, "---")
		}
	}
	breaks := 1
	if row == head {
		breaks = 2
	}
	w.breaks, w.space = max(w.breaks, breaks), false
	w.word("| " + strings.Join(cells, " | ") + " |")
	w.breaks = 1
	if row == head {
		w.word("| " + strings.Join(rule, " | ") + " |")
		w.breaks = 1
	}
	return true
}

// headOf returns the header row of a row's table, or nil if there is no header row. It caches the
// result for each table.
func (w *writer) headOf(row *html.Node) *html.Node {
	table := row.Parent
	for ; table != nil && table.DataAtom != atom.Table; table = table.Parent {
	}
	if table == nil {
		return nil
	}
	head, known := w.heads[table]
	if !known {
		if w.heads == nil {
			w.heads = map[*html.Node]*html.Node{}
		}
		head = findHead(table)
		w.heads[table] = head
	}
	return head
}

// findHead returns the first row of a table if that row consists of at least two header cells, and
// nil otherwise.
func findHead(table *html.Node) *html.Node {
	for first := range table.Descendants() {
		if first.DataAtom != atom.Tr {
			continue
		}
		headers := 0
		for cell := range first.ChildNodes() {
			switch cell.DataAtom {
			case atom.Th:
				headers++
			case atom.Td:
				return nil
			}
		}
		if headers < 2 {
			return nil
		}
		return first
	}
	return nil
}

func holdsBlocks(node *html.Node) bool {
	for inside := range node.Descendants() {
		if inside.Type == html.ElementNode && !inline(inside.DataAtom) && !silent(inside.DataAtom) && inside.DataAtom != atom.Code && inside.DataAtom != atom.Br {
			return true
		}
	}
	return false
}

func textContent(node *html.Node) string {
	var text strings.Builder
	for inside := range node.Descendants() {
		if inside.Type == html.TextNode {
			text.WriteString(inside.Data)
		}
	}
	return text.String()
}

func escapeBrackets(text string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(text)
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
