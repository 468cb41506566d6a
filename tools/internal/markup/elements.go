package markup

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attribute returns the value of an attribute, or nil if the element does not have it.
func attribute(node *html.Node, name string) *string {
	for i := range node.Attr {
		if node.Attr[i].Key == name {
			return &node.Attr[i].Val
		}
	}
	return nil
}

func hasCellBefore(cell *html.Node) bool {
	for before := cell.PrevSibling; before != nil; before = before.PrevSibling {
		if before.DataAtom == atom.Td || before.DataAtom == atom.Th {
			return true
		}
	}
	return false
}

func startsWithSpace(text string) bool { return strings.TrimLeftFunc(text, unicode.IsSpace) != text }
func endsWithSpace(text string) bool   { return strings.TrimRightFunc(text, unicode.IsSpace) != text }

// silent returns true if an element's content is always omitted from the text.
func silent(element atom.Atom) bool {
	switch element {
	case atom.Script, atom.Style, atom.Template, atom.Head, atom.Iframe, atom.Svg, atom.Object, atom.Canvas,
		atom.Audio, atom.Video, atom.Datalist, atom.Math:
		return true
	}
	return false
}

// inline returns true if an element is part of the surrounding line.
func inline(element atom.Atom) bool {
	switch element {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Data, atom.Del, atom.Dfn, atom.Em,
		atom.Font, atom.I, atom.Img, atom.Input, atom.Ins, atom.Label, atom.Mark, atom.Q, atom.S, atom.Small, atom.Span,
		atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr, atom.Button, 0:
		return true // the atom of a custom element is 0
	}
	return false
}
