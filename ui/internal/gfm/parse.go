package gfm

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown returns the parser. A process that never draws does not build the parser.
var markdown = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(util.Prioritized(strikeParser{}, 500), util.Prioritized(taskParser{}, 0), util.Prioritized(markParser{}, 100)),
		parser.WithBlockParsers(util.Prioritized(noteParser{}, 950)),
		parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 200)),
	)
})

// Parse returns the syntax tree of source. The tree shares memory with source, so the caller must
// not modify source.
func Parse(source []byte) ast.Node { return markdown().Parse(text.NewReader(source)) }

// strikeParser parses ~text~ and ~~text~~.
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

func (strikeParser) OnMatch(int) ast.Node { return extension.NewStrikethrough() }

// taskParser parses a checkbox, such as "[ ]" or "[x]", at the start of a list item.
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
		return extension.NewTaskCheckBox(line[1] != ' ')
	}
	return nil
}
