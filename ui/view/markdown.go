package view

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"

	"marvin/ui/internal/gfm"
	"marvin/ui/internal/highlight"
)

// markdown lays out Markdown blocks.
type markdown struct {
	source []byte
	width  int  // width of the whole document
	listed bool // whether tables are shown as lists
}

// proseWidth is the maximum width of prose. Longer rows are hard to read.
const proseWidth = 100

// narrow is the minimum width of the text beside a margin.
const narrow = 8

func (m *markdown) block(node ast.Node, width int) []Line {
	switch node := node.(type) {
	case *ast.Heading:
		role := Heading
		if node.Level > 1 {
			role = Strong
		}
		return m.wrapInlines(node, role, width)
	case *ast.List:
		return m.list(node, width)
	case *ast.Blockquote:
		return m.nestBlocks(node, Span{Role: Faint, Part: Margin, Text: "│ "}, Span{Role: Faint, Part: Margin, Text: "│ "}, width)
	case *ast.FencedCodeBlock:
		rows := codeBegins(string(node.Language(m.source)), width)
		rows = append(rows, m.code(node, highlight.New(string(node.Language(m.source))), width)...)
		return append(rows, codeEnds())
	case *ast.CodeBlock:
		return m.code(node, highlight.New(""), width)
	case *ast.ThematicBreak:
		return []Line{{{Role: Faint, Part: Frame, Text: strings.Repeat("─", min(width, proseWidth))}}}
	case *ast.HTMLBlock:
		return m.verbatim(node, width)
	case *extension.Table:
		return m.table(node, width)
	case *gfm.Note:
		return m.note(node, width)
	}
	return m.wrapInlines(node, Plain, width)
}

// wrapInlines lays out a block of inlines. It keeps the line breaks of the source, because models
// and tools rely on them.
func (m *markdown) wrapInlines(node ast.Node, role Role, width int) []Line {
	var rows []Line
	width = min(width, proseWidth)
	for _, line := range m.inlines(node, role) {
		rows = append(rows, Wrap(line, width)...)
	}
	return rows
}

// nestBlocks lays out blocks to the right of a margin.
func (m *markdown) nestBlocks(parent ast.Node, first, rest Span, width int) []Line {
	margin := Width(first.Text)
	if width-margin < narrow {
		margin, first.Text, rest.Text = 0, "", ""
	}
	var rows []Line
	for node := parent.FirstChild(); node != nil; node = node.NextSibling() {
		if len(rows) > 0 && node.HasBlankPreviousLines() {
			rows = append(rows, nil)
		}
		rows = append(rows, m.block(node, width-margin)...)
	}
	if margin == 0 {
		return rows
	}
	if len(rows) == 0 {
		rows = []Line{nil}
	}
	for i := range rows {
		span := rest
		if i == 0 {
			span = first
		}
		if len(rows[i]) > 0 || span.Role != Plain || i == 0 {
			rows[i] = append(Line{span}, rows[i]...)
		}
	}
	return rows
}

func (m *markdown) note(note *gfm.Note, width int) []Line {
	mark := "[" + note.Label + "] "
	if strings.Trim(note.Label, "0123456789") != "" {
		mark = "[^" + note.Label + "] " // references to this note look the same
	}
	return m.nestBlocks(note, Span{Role: Faint, Text: mark}, Span{Role: Plain, Part: Indent, Text: strings.Repeat(" ", Width(mark))}, width)
}

func (m *markdown) list(list *ast.List, width int) []Line {
	var rows []Line
	number, margin := list.Start, 2
	if list.IsOrdered() {
		margin = len(fmt.Sprint(list.Start+list.ChildCount()-1)) + 2
	}
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		bullet := Span{Role: Plain, Part: Bullet, Text: "• "}
		if list.IsOrdered() {
			bullet.Part, bullet.Text = Words, fmt.Sprintf("%*d%c ", margin-2, number, list.Marker)
		}
		number++
		if len(rows) > 0 && item.HasBlankPreviousLines() {
			rows = append(rows, nil)
		}
		rows = append(rows, addCheckBox(m.nestBlocks(item, bullet, Span{Role: Plain, Part: Indent, Text: strings.Repeat(" ", margin)}, width))...)
	}
	return rows
}

// addCheckBox replaces the bullet and the brackets of a task with a check box.
func addCheckBox(rows []Line) []Line {
	if len(rows) == 0 || len(rows[0]) < 2 || rows[0][0].Text != "• " {
		return rows
	}
	for mark, box := range map[string]string{"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "} {
		if text, ok := strings.CutPrefix(rows[0][1].Text, mark); ok {
			rows[0][0].Text, rows[0][1].Text = box, text
			if text == "" {
				rows[0] = append(rows[0][:1:1], rows[0][2:]...)
			}
			break
		}
	}
	return rows
}

// code lays out a complete code block.
func (m *markdown) code(node ast.Node, code *highlight.Code, width int) []Line {
	for i := range node.Lines().Len() {
		segment := node.Lines().At(i)
		code.Add(strings.TrimSuffix(string(segment.Value(m.source)), "\n"))
	}
	return append(codeRows(code.Settle(), code.Known(), width), codeRows(code.Rest(), code.Known(), width)...)
}

// verbatim returns the wrapped source lines of an HTML block.
func (m *markdown) verbatim(node *ast.HTMLBlock, width int) []Line {
	var rows []Line
	show := func(line string) {
		rows = append(rows, Wrap(Line{{Role: Plain, Text: strings.TrimSuffix(line, "\n")}}, width)...)
	}
	for i := range node.Lines().Len() {
		segment := node.Lines().At(i)
		show(string(segment.Value(m.source)))
	}
	if node.HasClosure() {
		show(string(node.ClosureLine.Value(m.source)))
	}
	return rows
}
