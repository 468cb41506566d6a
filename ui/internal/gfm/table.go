package gfm

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Align is where the text of a column stands.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Center
	Right
)

// Table has rows of cells; the first row is the header. Every row has as many cells as
// there are Columns.
type Table struct {
	ast.BaseBlock
	Columns []Align
}

// Row is one row of a table.
type Row struct{ ast.BaseBlock }

// Cell holds inlines.
type Cell struct{ ast.BaseBlock }

// The kinds of the nodes of a table.
var (
	kindTable = ast.NewNodeKind("Table")
	kindRow   = ast.NewNodeKind("Row")
	kindCell  = ast.NewNodeKind("Cell")
)

// Kind is part of ast.Node.
func (*Table) Kind() ast.NodeKind { return kindTable }

// Kind is part of ast.Node.
func (*Row) Kind() ast.NodeKind { return kindRow }

// Kind is part of ast.Node.
func (*Cell) Kind() ast.NodeKind { return kindCell }

// Dump is part of ast.Node.
func (t *Table) Dump(source []byte, level int) { ast.DumpHelper(t, source, level, nil, nil) }

// Dump is part of ast.Node.
func (r *Row) Dump(source []byte, level int) { ast.DumpHelper(r, source, level, nil, nil) }

// Dump is part of ast.Node.
func (c *Cell) Dump(source []byte, level int) { ast.DumpHelper(c, source, level, nil, nil) }

// tableTransformer makes a table of a paragraph in which a row of dashes stands under
// a row of as many cells.
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
		table := &Table{Columns: columns}
		table.SetPos(lines.At(i - 1).Start)
		table.AppendChild(table, row(header, len(columns)))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, row(cells(source, lines.At(j)), len(columns)))
		}
		// The paragraph goes in any case: as long as it is there a line of dashes below
		// would make a heading of it.
		parent := node.Parent()
		if i > 1 {
			above := ast.NewParagraph()
			above.SetPos(node.Pos())
			above.SetBlankPreviousLines(node.HasBlankPreviousLines())
			lines.SetSliced(0, i-1)
			above.SetLines(lines)
			last := lines.At(i - 2)
			last.Stop-- // its line break
			lines.Set(i-2, last)
			parent.InsertBefore(parent, node, above)
		}
		parent.InsertBefore(parent, node, table)
		parent.RemoveChild(parent, node)
		return
	}
}

// row makes a row of exactly so many cells.
func row(segments []text.Segment, columns int) *Row {
	made := &Row{}
	for i := range columns {
		cell := &Cell{}
		if i < len(segments) {
			cell.Lines().Append(segments[i])
		}
		made.AppendChild(made, cell)
	}
	return made
}

// cells splits a line at its bars, save those behind a backslash.
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

// columns reads a row of dashes, in which colons say where the text stands. It is nil
// for every other line.
func columns(line []byte) []Align {
	line = bytes.TrimSpace(line)
	if !bytes.ContainsAny(line, "|:") || !bytes.ContainsRune(line, '-') {
		return nil
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	var found []Align
	for _, column := range bytes.Split(line, []byte("|")) {
		column = bytes.TrimSpace(column)
		dashes := bytes.TrimSuffix(bytes.TrimPrefix(column, []byte(":")), []byte(":"))
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 || util.IsBlank(column) {
			return nil
		}
		switch left, right := column[0] == ':', column[len(column)-1] == ':'; {
		case left && right:
			found = append(found, Center)
		case right:
			found = append(found, Right)
		default:
			found = append(found, Left)
		}
	}
	return found
}
