package view

import (
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
)

// Run adds a block for a command that the user runs.
func (v *View) Run(line string, now time.Time) *Block {
	title := oneLine("$ " + line)
	block := v.add(Call)
	block.Gap = len(v.Blocks) > 1 // a gap precedes a command even if the previous block is a call
	block.Tool, block.own = &conversation.Call{Name: title, Title: title, Begun: now}, true
	return block
}

// ownRows is the height, in rows, of about two screens. Longer output of a user's command is folded
// by default.
const ownRows = 100

// runningBytes limits the stored output of a running command. If the output is longer than
// 2*runningBytes, Print keeps only the complete lines in the last runningBytes bytes.
const runningBytes = 64 << 10

// Print adds complete lines of the command's output.
func (b *Block) Print(lines string) {
	b.write(withoutOverwritten(lines))
	if text := b.text.String(); len(text) > 2*runningBytes {
		text = text[len(text)-runningBytes:]
		b.replace(text[strings.IndexByte(text, '\n')+1:])
	}
}

// withoutOverwritten keeps only the text after the last carriage return within each line. Progress
// bars redraw a line in this way.
func withoutOverwritten(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	var left strings.Builder
	for line := range strings.Lines(text) {
		words := strings.TrimRight(line, "\r\n")
		left.WriteString(words[strings.LastIndexByte(words, '\r')+1:])
		if strings.HasSuffix(line, "\n") {
			left.WriteByte('\n')
		}
	}
	return left.String()
}

// CloseCommand records the result of a command in its block. The final output replaces the lines
// from [Block.Print].
func (v *View) CloseCommand(block *Block, output string, status messages.Status, problem string, now time.Time) {
	if !slices.Contains(v.Blocks, block) { // a new conversation has begun
		v.Blocks = append(v.Blocks, block)
		block.Gap = len(v.Blocks) > 1
	}
	block.Tool.Status, block.Tool.Summary, block.Tool.Took = status, problem, now.Sub(block.Tool.Begun)
	if output == "" && status == messages.OK {
		output = "(no output)"
	}
	block.replace(withoutOverwritten(output))
	rows := strings.Count(output, "\n") + 1
	if block.short = rows <= ownRows; !block.short && status == messages.OK {
		block.Tool.Summary = messages.Counted(rows, "line")
	}
}
