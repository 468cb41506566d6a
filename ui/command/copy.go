package command

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"marvin/messages"
	"marvin/ui/termsafe"
)

// copy writes the last answer, or one of its code blocks, to the clipboard.
func (e *Engine) copy(which string) {
	content, what := e.Talk.Answer, "The last answer"
	if content == "" {
		e.warn("There is no answer to copy yet.")
		return
	}
	if which != "" {
		blocks := codeBlocks(content)
		at, err := pick(which, len(blocks))
		if at < 0 || err != nil {
			e.warn(fmt.Sprintf("Usage: /copy copies the last answer, /copy N copies code block number N of that answer, which has %d code blocks.", len(blocks)))
			return
		}
		content, what = blocks[at], "Code block "+which
	}
	way, err := e.Front.Copy(termsafe.String(content)) // control sequences in pasted text could run shell commands
	if err != nil {
		e.warn(err.Error())
		return
	}
	e.say(fmt.Sprintf("%s is on the clipboard (%s, %s).", what, messages.Counted(len([]rune(content)), "character"), way))
}

// codeBlocks returns the contents of an answer's code blocks in order.
func codeBlocks(markdown string) []string {
	source := []byte(markdown)
	document := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(source))
	var blocks []string
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		kind := node.Kind()
		if !entering || kind != ast.KindFencedCodeBlock && kind != ast.KindCodeBlock {
			return ast.WalkContinue, nil
		}
		var block strings.Builder
		for i := range node.Lines().Len() {
			line := node.Lines().At(i)
			block.Write(line.Value(source))
		}
		blocks = append(blocks, strings.TrimRight(block.String(), "\n"))
		return ast.WalkContinue, nil
	})
	return blocks
}
