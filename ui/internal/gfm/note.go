package gfm

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Mark is a reference to a footnote, such as [^1]. Its label must be a number, because [^abc] can
// be a character class of a regular expression.
type Mark struct {
	ast.BaseInline
	Label string
}

// Note is a footnote. A footnote begins with a label in brackets, such as "[^1]:".
type Note struct {
	ast.BaseBlock
	Label string
}

var (
	kindMark = ast.NewNodeKind("Mark")
	kindNote = ast.NewNodeKind("Note")
)

// Kind implements ast.Node.
func (*Mark) Kind() ast.NodeKind { return kindMark }

// Kind implements ast.Node.
func (*Note) Kind() ast.NodeKind { return kindNote }

// Dump implements ast.Node.
func (m *Mark) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }

// Dump implements ast.Node.
func (n *Note) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// mostLabel is the maximum number of bytes in a label, including the closing bracket.
const mostLabel = 64

// label returns the footnote label at the start of the line, such as "1" in "[^1]", or "" if there
// is none.
func label(line []byte) string {
	rest, ok := bytes.CutPrefix(line, []byte("[^"))
	end := bytes.IndexByte(rest[:min(len(rest), mostLabel)], ']')
	if !ok || end < 1 || bytes.ContainsAny(rest[:end], " \t[\\") {
		return ""
	}
	return string(rest[:end])
}

func number(label string) bool {
	return len(label) < 5 && len(bytes.Trim([]byte(label), "0123456789")) == 0
}

type markParser struct{}

func (markParser) Trigger() []byte { return []byte{'['} }

func (markParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	label := label(line)
	if label == "" || !number(label) {
		return nil
	}
	block.Advance(len(label) + 3)
	return &Mark{Label: label}
}

// noteParser parses footnotes. Indented lines after a footnote belong to it.
type noteParser struct{}

func (noteParser) Trigger() []byte { return []byte{'['} }

func (noteParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	label := label(line[at:])
	behind := at + len(label) + 3
	if label == "" || behind >= len(line) || line[behind] != ':' {
		return nil, parser.NoChildren
	}
	note := &Note{Label: label}
	note.SetPos(segment.Start + at - segment.Padding)
	reader.Advance(behind + 1)
	return note, parser.HasChildren
}

func (noteParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if len(bytes.TrimSpace(line)) == 0 {
		return parser.Continue | parser.HasChildren
	}
	switch indent := len(line) - len(bytes.TrimLeft(line, " ")); {
	case line[0] == '\t':
		reader.Advance(1)
	case indent >= 2:
		reader.Advance(min(indent, 4))
	default:
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

func (noteParser) Close(ast.Node, text.Reader, parser.Context) {}

func (noteParser) CanInterruptParagraph() bool { return true }

func (noteParser) CanAcceptIndentedLine() bool { return false }
