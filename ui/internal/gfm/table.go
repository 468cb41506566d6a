package gfm

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tableTransformer finds tables in paragraphs. The header must have as many cells as the row of
// dashes below it. All other rows are padded or truncated to that number.
type tableTransformer struct{}

func (tableTransformer) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	source, lines := reader.Source(), node.Lines()
	for i := 1; i < lines.Len(); i++ {
		delimiter := lines.At(i)
		columns := columns(delimiter.Value(source))
		header := cells(source, lines.At(i-1))
		if columns == nil || len(columns) != len(header) {
			continue
		}
		table := extension.NewTable()
		table.Alignments = columns
		table.SetPos(lines.At(i - 1).Start)
		table.AppendChild(table, row(header, len(columns)))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, row(cells(source, lines.At(j)), len(columns)))
		}
		// Always remove node, because a following line of dashes would turn node into a heading.
		parent := node.Parent()
		if i > 1 {
			above := ast.NewParagraph()
			above.SetPos(node.Pos())
			above.SetBlankPreviousLines(node.HasBlankPreviousLines())
			lines.SetSliced(0, i-1)
			above.SetLines(lines)
			last := lines.At(i - 2)
			last.Stop-- // omit the line break
			lines.Set(i-2, last)
			parent.InsertBefore(parent, node, above)
		}
		parent.InsertBefore(parent, node, table)
		parent.RemoveChild(parent, node)
		return
	}
}

// row returns a table row with exactly the given number of cells.
func row(segments []text.Segment, columns int) *extension.TableRow {
	made := extension.NewTableRow(nil)
	for i := range columns {
		cell := extension.NewTableCell()
		if i < len(segments) {
			cell.Lines().Append(segments[i])
		}
		made.AppendChild(made, cell)
	}
	return made
}

// cells divides a line at each | that is not escaped by a backslash.
func cells(source []byte, line text.Segment) []text.Segment {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	start, stop := line.Start, line.Stop
	if start < stop && source[start] == '|' {
		start++
	}
	if stop > start && source[stop-1] == '|' && (stop-2 < start || source[stop-2] != '\\') {
		stop--
	}
	var found []text.Segment
	for at := start; at <= stop; at++ {
		if at < stop && (source[at] != '|' || at > start && source[at-1] == '\\') {
			continue
		}
		cell := text.NewSegment(start, at)
		cell = cell.TrimLeftSpace(source)
		found = append(found, cell.TrimRightSpace(source))
		start = at + 1
	}
	return found
}

// columns returns the column alignments of a row of dashes, such as "|:--|--:|". It returns nil for
// any other line.
func columns(line []byte) []extension.Alignment {
	line = bytes.TrimSpace(line)
	if !bytes.ContainsAny(line, "|:") || !bytes.ContainsRune(line, '-') {
		return nil
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	var found []extension.Alignment
	for _, column := range bytes.Split(line, []byte("|")) {
		column = bytes.TrimSpace(column)
		dashes := bytes.TrimSuffix(bytes.TrimPrefix(column, []byte(":")), []byte(":"))
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 || util.IsBlank(column) {
			return nil
		}
		switch left, right := column[0] == ':', column[len(column)-1] == ':'; {
		case left && right:
			found = append(found, extension.AlignCenter)
		case right:
			found = append(found, extension.AlignRight)
		default:
			found = append(found, extension.AlignLeft)
		}
	}
	return found
}
