package gfm_test

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"

	"marvin/ui/view/internal/gfm"
)

// shape is the kinds of the nodes below a node.
func shape(node ast.Node) string {
	var kinds []string
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		kind := child.Kind().String()
		if inner := shape(child); inner != "" && kind != "Text" {
			kind += "(" + inner + ")"
		}
		kinds = append(kinds, kind)
	}
	return strings.Join(kinds, " ")
}

// The cases are those of https://github.github.com/gfm/#tables-extension- and the
// sections on strikethrough and task lists.
func TestWhatGitHubAdds(t *testing.T) {
	const row = "Row(Cell(Text) Cell(Text))"
	for source, want := range map[string]string{
		"| a | b |\n| - | - |\n| 1 | 2 |":   "Table(" + row + " " + row + ")",
		"a | b\n:-: | --:\n1":               "Table(" + row + " Row(Cell(Text) Cell))",
		"a | b\n-- | --\n1 | 2 | 3":         "Table(" + row + " " + row + ")",
		"| a | b |\n| - |":                  "Paragraph(Text Text)",
		"text\n| a | b |\n| - | - |":        "Paragraph(Text) Table(" + row + ")",
		"| a | b |\n| - | - |\n\ntext":      "Table(" + row + ") Paragraph(Text)",
		"| a | b |\n| - | - |\n> q":         "Table(" + row + ") Blockquote(Paragraph(Text))",
		"a\nb | c\n-- | --\n---":            "Paragraph(Text) Table(" + row + ") ThematicBreak",
		"| a \\| b | c |\n| - | - |":        "Table(" + row + ")",
		"~~a~~ ~b~ ~~~c~~~":                 "Paragraph(Strike(Text) Text Strike(Text) Text Text)",
		"- [x] a\n- [ ] b\n- [y] c\n- [x]d": "List(ListItem(TextBlock(Task Text)) ListItem(TextBlock(Task Text)) ListItem(TextBlock(Text Text Text)) ListItem(TextBlock(Text Text Text)))",
		"[a]: http://b\n[a]":                "Paragraph(Text Text Text Text Text Text)",
	} {
		if got := shape(gfm.Parse([]byte(source))); got != want {
			t.Errorf("%q is\n%s, not\n%s", source, got, want)
		}
	}
}
