package gfm

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown is made on first use: a process that never draws pays nothing.
var markdown = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(util.Prioritized(strikeParser{}, 500), util.Prioritized(taskParser{}, 0), util.Prioritized(markParser{}, 100)),
		parser.WithBlockParsers(util.Prioritized(noteParser{}, 950)),
		parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 200)),
	)
})

// Parse reads source. Segments of the tree point into it.
func Parse(source []byte) ast.Node { return markdown().Parse(text.NewReader(source)) }

// Strike is text that was struck out.
type Strike struct{ ast.BaseInline }

// kindStrike is the kind of [Strike].
var kindStrike = ast.NewNodeKind("Strike")

// Kind is part of ast.Node.
func (*Strike) Kind() ast.NodeKind { return kindStrike }

// Dump is part of ast.Node.
func (s *Strike) Dump(source []byte, level int) { ast.DumpHelper(s, source, level, nil, nil) }

// strikeParser finds one or two tildes on both sides.
type strikeParser struct{}

func (strikeParser) Trigger() []byte { return []byte{'~'} }

func (s strikeParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 1, s)
	if node == nil || node.OriginalLength > 2 || before == '~' {
		return nil
	}
	node.Segment = segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}

func (strikeParser) IsDelimiter(b byte) bool { return b == '~' }

func (strikeParser) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (strikeParser) OnMatch(int) ast.Node { return &Strike{} }

// Task is the box in front of an item of a list.
type Task struct {
	ast.BaseInline
	Done bool
}

// kindTask is the kind of [Task].
var kindTask = ast.NewNodeKind("Task")

// Kind is part of ast.Node.
func (*Task) Kind() ast.NodeKind { return kindTask }

// Dump is part of ast.Node.
func (t *Task) Dump(source []byte, level int) { ast.DumpHelper(t, source, level, nil, nil) }

// taskParser finds [ ] and [x] at the beginning of an item.
type taskParser struct{}

func (taskParser) Trigger() []byte { return []byte{'['} }

func (taskParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item, ok := parent.Parent().(*ast.ListItem)
	if !ok || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < 4 || line[2] != ']' || line[3] != ' ' {
		return nil
	}
	switch line[1] {
	case ' ', 'x', 'X':
		block.Advance(4)
		return &Task{Done: line[1] != ' '}
	}
	return nil
}
