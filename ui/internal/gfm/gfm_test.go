package gfm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"

	"marvin/ui/internal/gfm"
)

// shape returns the kinds of the nodes below a node.
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
func TestGitHubMarkdown(t *testing.T) {
	const row = "TableRow(TableCell(Text) TableCell(Text))"
	for source, want := range map[string]string{
		"| a | b |\n| - | - |\n| 1 | 2 |":   "Table(" + row + " " + row + ")",
		"a | b\n:-: | --:\n1":               "Table(" + row + " TableRow(TableCell(Text) TableCell))",
		"a | b\n-- | --\n1 | 2 | 3":         "Table(" + row + " " + row + ")",
		"| a | b |\n| - |":                  "Paragraph(Text Text)",
		"text\n| a | b |\n| - | - |":        "Paragraph(Text) Table(" + row + ")",
		"| a | b |\n| - | - |\n\ntext":      "Table(" + row + ") Paragraph(Text)",
		"| a | b |\n| - | - |\n> q":         "Table(" + row + ") Blockquote(Paragraph(Text))",
		"a\nb | c\n-- | --\n---":            "Paragraph(Text) Table(" + row + ") ThematicBreak",
		"| a \\| b | c |\n| - | - |":        "Table(" + row + ")",
		"~~a~~ ~b~ ~~~c~~~":                 "Paragraph(Strikethrough(Text) Text Strikethrough(Text) Text Text)",
		"- [x] a\n- [ ] b\n- [y] c\n- [x]d": "List(ListItem(TextBlock(TaskCheckBox Text)) ListItem(TextBlock(TaskCheckBox Text)) ListItem(TextBlock(Text Text Text)) ListItem(TextBlock(Text Text Text)))",
		"[a]: http://b\n[a]":                "Paragraph(Text Text Text Text Text Text)",
	} {
		if got := shape(gfm.Parse([]byte(source))); got != want {
			t.Errorf("%q is\n%s, not\n%s", source, got, want)
		}
	}
}

// The cases are those of footnotes: https://docs.github.com/en/get-started/writing-on-github
func TestFootnotes(t *testing.T) {
	for source, want := range map[string]string{
		"a[^1] b[^22]":                          "Paragraph(Text Mark Text Mark)",
		"a[^1234]":                              "Paragraph(Text Mark)",
		"a[^12345]":                             "Paragraph(Text Text Text)",
		"a[^abc]":                               "Paragraph(Text Text Text)",
		"a[^1 2] [^] [^1\\] [^1[]":              "Paragraph(Text Text Text Text Text Text Text Text)",
		"[^1]: one":                             "Note(Paragraph(Text))",
		"text\n[^1]: one":                       "Paragraph(Text) Note(Paragraph(Text))",
		"[^a]: named":                           "Note(Paragraph(Text))",
		"[^" + strings.Repeat("a", 63) + "]: x": "Note(Paragraph(Text))",
		"[^" + strings.Repeat("a", 64) + "]: x": "Paragraph(Text Text Text)",
		"[^1]: one\n\n    two\n\n  - three\nelse": "Note(Paragraph(Text) Paragraph(Text) List(ListItem(TextBlock(Text Text))))",
		"[^1]: one\n\n\ttwo\n\nthree":             "Note(Paragraph(Text) Paragraph(Text)) Paragraph(Text)",
		"[^1]: one\n\n two":                       "Note(Paragraph(Text)) Paragraph(Text)",
		"[^1]: one\n\n      code":                 "Note(Paragraph(Text) Paragraph(Text))",
		"[^1]: one\n\n        code":               "Note(Paragraph(Text) CodeBlock)",
		"[^1]: one\n[^2]: two\n":                  "Note(Paragraph(Text)) Note(Paragraph(Text))",
		"    [^1]: code":                          "CodeBlock",
		"[^1]:\n    later":                        "Note(Paragraph(Text))",
		"[^1]":                                    "Paragraph(Mark)",
		"[^1] :":                                  "Paragraph(Mark Text)",
	} {
		if got := shape(gfm.Parse([]byte(source))); got != want {
			t.Errorf("%q is\n%s, not\n%s", source, got, want)
		}
	}
	root := gfm.Parse([]byte("a[^7]\n\n[^note]: b"))
	mark, note := root.FirstChild().LastChild().(*gfm.Mark), root.LastChild().(*gfm.Note)
	if mark.Label != "7" || note.Label != "note" || note.Pos() != 7 {
		t.Errorf("%q, %q at %d", mark.Label, note.Label, note.Pos())
	}
}

// A row of dashes must have at least one dash in each column, and at most one colon on each side.
func TestTextThatIsNoTable(t *testing.T) {
	for _, dashes := range []string{"| : | - |", "| :-a | - |", "|   | - |", "| -- - | - |", "| ::- | - |", "| - | - | - |", "-"} {
		if got := shape(gfm.Parse([]byte("| a | b |\n" + dashes))); strings.Contains(got, "Table") {
			t.Errorf("%q makes %s", dashes, got)
		}
	}
	for _, dashes := range []string{"|:-|-:|", ":-:|-", " | -------- | :---: | "} {
		if got := shape(gfm.Parse([]byte("| a | b |\n" + dashes))); got != "Table(TableRow(TableCell(Text) TableCell(Text)))" {
			t.Errorf("%q makes %s", dashes, got)
		}
	}
}

// texts returns the texts below a node, with the alignment of cells.
func texts(node ast.Node, source []byte) string {
	var all []string
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			all = append(all, fmt.Sprintf("%q", child.Segment.Value(source)))
		case *extension.TaskCheckBox:
			all = append(all, fmt.Sprint(child.IsChecked))
		case *extension.Table:
			all = append(all, fmt.Sprintf("%v%d[%s]", child.Alignments, child.Pos(), texts(child, source)))
		default:
			all = append(all, "("+texts(child, source)+")")
		}
	}
	return strings.Join(all, " ")
}

func TestTableCells(t *testing.T) {
	for source, want := range map[string]string{
		"| a | b |\n|:--|--:|\n| 1 | 2 |":           `[left right]0[(("a") ("b")) (("1") ("2"))]`,
		"above\na | b | c\n:-: | - | -:\n x|y |z ":  `("above") [center left right]6[(("a") ("b") ("c")) (("x") ("y") ("z"))]`,
		"|a|b|\n|-|-|\n||2|\n|1||\n|1|2|3|\n|\\|x|": `[left left]0[(("a") ("b")) (() ("2")) (("1") ()) (("1") ("2")) (("\\|x") ())]`,
		"|a\\|b|c|\n|-|-|\n|1\\||2\\|":              `[left left]0[(("a\\|b") ("c")) (("1\\|") ("2\\|"))]`,
		"one\ntwo\n|a|\n|-|\n":                      `("one" "two") [left]8[(("a"))]`,
		"~~a **b**~~ ~c~":                           `(("a " ("b")) " " ("c"))`,
		"- [x] a\n- [ ] b\n- [X] c":                 `(((true "a")) ((false "b")) ((true "c")))`,
	} {
		if got := texts(gfm.Parse([]byte(source)), []byte(source)); got != want {
			t.Errorf("%q has\n%s, not\n%s", source, got, want)
		}
	}
}
