package view

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"marvin/ui/internal/gfm"
)

// inlines converts the inline nodes of a block to lines.
func (m *markdown) inlines(block ast.Node, role Role) []Line {
	writer := inlineWriter{source: m.source, lines: []Line{nil}, top: block.Parent() != nil && block.Parent().Kind() == ast.KindDocument}
	writer.children(block, role)
	return writer.lines
}

// withoutMarks returns a line of Markdown without its markup.
func withoutMarks(text string) string {
	m := markdown{source: []byte(text)}
	block := gfm.Parse(m.source).FirstChild()
	for block != nil && block.FirstChild() != nil && block.FirstChild().Type() == ast.TypeBlock {
		block = block.FirstChild()
	}
	if block == nil || block.FirstChild() == nil {
		return text
	}
	return m.inlines(block, Plain)[0].String()
}

// inlineWriter converts inlines to spans.
type inlineWriter struct {
	source []byte
	lines  []Line
	top    bool // at the top level, where indents are kept
	cell   bool // inside a table, where a backslash escapes a bar even in code
}

func (w *inlineWriter) put(role Role, text string) {
	if text != "" {
		last := len(w.lines) - 1
		w.lines[last] = append(w.lines[last], Span{Role: role, Text: text})
	}
}

func (w *inlineWriter) children(node ast.Node, role Role) {
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		w.inline(child, role)
	}
}

func (w *inlineWriter) inline(node ast.Node, role Role) {
	switch node := node.(type) {
	case *ast.Text:
		w.text(node, role)
	case *ast.CodeSpan:
		w.put(roleInside(role, Snippet), w.code(node))
	case *ast.Emphasis:
		if node.Level == 1 {
			w.children(node, roleInside(role, Emphasis))
		} else {
			w.children(node, roleInside(role, Strong))
		}
	case *extension.Strikethrough:
		w.children(node, roleInside(role, Struck))
	case *gfm.Mark:
		w.put(roleInside(role, Link), "["+node.Label+"]")
	case *extension.TaskCheckBox:
		box := "[ ] "
		if node.IsChecked {
			box = "[x] "
		}
		w.put(Tool, box)
	case *ast.Link:
		w.link(node, "", string(node.Destination), role)
	case *ast.Image:
		w.link(node, "image: ", string(node.Destination), role)
	case *ast.AutoLink:
		w.writeAutoLink(node, role)
	case *ast.RawHTML:
		w.html(node, role)
	case *ast.String:
		w.put(role, string(node.Value))
	default:
		w.children(node, role)
	}
}

// roleInside returns inner, or Heading if outer is Heading.
func roleInside(outer, inner Role) Role {
	if outer == Heading {
		return Heading
	}
	return inner
}

func (w *inlineWriter) text(node *ast.Text, role Role) {
	last := len(w.lines) - 1
	if w.top && len(w.lines[last]) == 0 {
		before := w.source[:node.Segment.Start]
		line := before[bytes.LastIndexByte(before, '\n')+1:]
		if util.IsBlank(line) {
			w.put(Plain, string(line))
		}
	}
	w.put(role, gfm.Plain(string(node.Segment.Value(w.source))))
	if node.SoftLineBreak() || node.HardLineBreak() {
		w.lines = append(w.lines, nil)
	}
}

// link writes a link's text, and then its address if the two differ. A hidden address could deceive
// the user.
func (w *inlineWriter) link(node ast.Node, before, target string, role Role) {
	first := len(w.lines) - 1
	begin := len(w.lines[first])
	w.put(Faint, before)
	w.children(node, roleInside(role, Link))
	said := ""
	for i, line := range w.lines[first:] {
		if i == 0 {
			line = line[begin:]
		}
		said += line.String()
	}
	if target = gfm.Plain(target); target != "" && target != said && target != "mailto:"+said {
		w.put(Faint, " ("+target+")")
	}
	w.setAddress(first, begin, target)
}

// writeAutoLink writes an [ast.AutoLink], which consists only of its address.
func (w *inlineWriter) writeAutoLink(node *ast.AutoLink, role Role) {
	target := string(node.URL(w.source))
	if node.AutoLinkType == ast.AutoLinkEmail {
		target = "mailto:" + target
	}
	w.put(roleInside(role, Link), string(node.Label(w.source)))
	last := len(w.lines) - 1
	w.setAddress(last, len(w.lines[last])-1, target)
}

// setAddress adds a link's address to all spans from a position to the end.
func (w *inlineWriter) setAddress(line, begin int, target string) {
	to := allowedAddress(target)
	for ; line < len(w.lines); line, begin = line+1, 0 {
		for i := max(begin, 0); i < len(w.lines[line]); i++ {
			w.lines[line][i].Address = to
		}
	}
}

// allowedAddress returns the address to use in a terminal's escape sequence. It returns "" if
// target is too long, or is neither a web address nor an email address. It also returns "" if the
// escaped address contains anything except visible ASCII characters, which cannot end the sequence.
func allowedAddress(target string) string {
	address, err := url.Parse(target)
	if err != nil || len(target) > 2000 || !slices.Contains([]string{"http", "https", "mailto"}, address.Scheme) {
		return ""
	}
	// Escape < and >, because tcell interprets $<5> as a delay.
	text := strings.NewReplacer("<", "%3C", ">", "%3E").Replace(address.String())
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return text
}

func (w *inlineWriter) code(node *ast.CodeSpan) string {
	var text strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		if piece, ok := child.(*ast.Text); ok {
			text.Write(piece.Segment.Value(w.source))
		}
	}
	code := strings.ReplaceAll(text.String(), "\n", " ")
	if w.cell {
		code = strings.ReplaceAll(code, `\|`, "|")
	}
	return code
}

// html adds a tag as text, but breaks the line at <br>.
func (w *inlineWriter) html(node *ast.RawHTML, role Role) {
	var tag strings.Builder
	for i := range node.Segments.Len() {
		segment := node.Segments.At(i)
		tag.Write(segment.Value(w.source))
	}
	switch strings.ToLower(strings.ReplaceAll(tag.String(), " ", "")) {
	case "<br>", "<br/>":
		w.lines = append(w.lines, nil)
	default:
		w.put(role, strings.ReplaceAll(tag.String(), "\n", " "))
	}
}
