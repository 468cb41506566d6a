package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
	"marvin/ui/termsafe"
)

// Kind is the kind of a block.
type Kind uint8

// The kinds of block.
const (
	Prompt Kind = iota
	Answer
	Thinking
	Call
	Notice
	Failure
)

// Block is one item of the transcript, such as a prompt, a part of an answer, or a tool call.
// Rarely used data is behind pointers, because a conversation can have ten thousand blocks.
type Block struct {
	Kind Kind
	Gap  bool               // an empty line precedes the block
	Raw  bool               // an answer that is not Markdown
	Calm bool               // a notice with level messages.Info
	Tool *conversation.Call // the call; nil for other kinds

	text   strings.Builder
	layout *layout           // nil if the block is off the screen
	open   bool              // whether the layout is unfolded
	held   bool              // the block is in Window.laid
	short  bool              // whether the call is unfolded by default
	own    bool              // a command that the user ran
	kind   messages.ViewKind // kind of the view that a call returned, or "" for a plain result
	mind   *thinkingTime     // start and end of a thought, or nil
	album  *album            // the pictures; nil if there are none
	about  choice            // the choice that a notice is about
	fold   fold
	size   size
}

// layout contains the rows of a block.
type layout struct {
	flow   flow     // for text other than Markdown answers and diffs with line numbers
	answer document // a Markdown answer
	diff   struct { // a diff with line numbers
		width, text int
		lines       []Line
	}
}

func (b *Block) ensureLayout() *layout {
	if b.layout == nil {
		b.layout = &layout{}
	}
	return b.layout
}

// fold is the fold state of one block. A block with asAll follows the settings of the window.
type fold uint8

const (
	asAll fold = iota
	opened
	folded
)

// choice is a setting. Each press of its key selects the next value.
type choice uint8

const (
	anything choice = iota
	model
	effort
	approval
)

// size contains the measurements that the block keeps when its layout is dropped.
type size struct {
	rows, width, text int
	open              bool
}

// drop discards the layout of the block and keeps its text.
func (b *Block) drop() { b.layout, b.held = nil, false }

// Text returns the current text.
func (b *Block) Text() string { return b.text.String() }

// write appends text after making it safe for a terminal.
func (b *Block) write(text string) { b.text.WriteString(termsafe.String(text)) }

// replace gives the block a new text and discards the rows of the old text.
func (b *Block) replace(text string) {
	b.text.Reset()
	b.size = size{}
	b.write(text)
	if b.layout != nil {
		b.layout.flow = flow{}
	}
}

// minWidth is the minimum width of a layout. In a window as narrow as this, the front end shows a
// message instead of the conversation.
const minWidth = 6

// Lines returns the rows of the block. If open is true, the block is unfolded. The caller must not
// modify the result, because the block reuses it.
func (b *Block) Lines(width int, open bool, now time.Time) []Line {
	width = max(width, minWidth)
	if b.Kind == Answer && !b.Raw {
		return b.markdown(width)
	}
	rows := &b.ensureLayout().flow
	if rows.width != width || b.open != open {
		*rows, b.open = flow{width: width, row: b.rows(width)}, open
		if b.Gap && b.Kind != Call {
			rows.lines, rows.settled = []Line{nil}, 1
		}
	}
	switch b.Kind {
	case Call:
		return b.call(width, open, now)
	case Thinking:
		if !open {
			return b.gap([]Line{{{Role: Faint, Text: Cut("∴ "+b.mind.String()+lastLine(b.text.String()), width)}}})
		}
	}
	if b.long() && !open {
		head, more := b.head()
		shown := slices.Clip(rows.layOut(head))
		return append(shown, Line{{Role: Band, Part: Margin, Text: "  "}, {Role: Faint, Text: Cut(fmt.Sprintf("… %d more lines · a click or Ctrl-O unfolds", more), max(width-2, 1))}})
	}
	return rows.layOut(b.text.String())
}

// A prompt of more than longPrompt lines is folded. A folded prompt shows only headOfPrompt lines.
const (
	longPrompt   = 20
	headOfPrompt = 8
)

func (b *Block) long() bool {
	return b.Kind == Prompt && strings.Count(b.text.String(), "\n") >= longPrompt
}

// head returns the start of a long prompt and the number of remaining lines.
func (b *Block) head() (text string, more int) {
	text = b.text.String()
	end := 0
	for range headOfPrompt {
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	return text[:end-1], strings.Count(text[end:], "\n") + 1
}

func (b *Block) markdown(width int) []Line {
	rows := &b.ensureLayout().answer
	if rows.width != width {
		*rows = document{width: width}
		if b.Gap {
			rows.lines, rows.settled = []Line{nil}, 1
		}
	}
	return rows.layOut(b.text.String())
}

// thinkingTime contains the times at which the model's thinking began and ended.
type thinkingTime struct {
	began, ended time.Time // the end time is zero while the model is thinking
}

// String returns the label of a folded thought, such as "thinking: ".
func (m *thinkingTime) String() string {
	switch {
	case m == nil: // in a resumed conversation, the time is unknown
		return "thought: "
	case m.ended.IsZero():
		return "thinking: "
	}
	return Thought(m.ended.Sub(m.began)) + ": "
}

// Thought returns a description such as "thought for 2.5s". If the duration is unknown, took is 0,
// and the result is "thought".
func Thought(took time.Duration) string {
	if took == 0 {
		return "thought"
	}
	return "thought for " + Elapsed(took.Round(100*time.Millisecond))
}

// lastLine returns the last line of the thinking so far.
func lastLine(text string) string {
	text = strings.TrimRight(text, "\n ")
	return strings.ReplaceAll(text[strings.LastIndexByte(text, '\n')+1:], "\t", " ")
}

func (b *Block) gap(lines []Line) []Line {
	if b.Gap {
		return append([]Line{nil}, lines...)
	}
	return lines
}

// mostWrapped is the maximum length, in bytes, of a result line that is broken between words. A
// longer line is broken anywhere.
const mostWrapped = 4 << 10

// rows creates a [rowFunc] that lays out the block's text for the given width.
func (b *Block) rows(width int) rowFunc {
	mark, role := Span{Role: Plain, Part: Margin, Text: "  "}, Plain
	switch b.Kind {
	case Prompt:
		mark, role = Span{Role: Band, Part: Margin, Text: "› "}, User
	case Answer:
		mark = Span{Role: Assistant, Part: Margin, Text: "● "}
	case Thinking:
		mark, role = Span{Role: Faint, Part: Margin, Text: "∴ "}, Faint
	case Notice:
		mark, role = Span{Role: System, Part: Margin, Text: "• "}, System
	case Failure:
		mark, role = Span{Role: Problem, Part: Margin, Text: "✗ "}, Problem
	case Call:
		return func(text string, state rowState) ([]Line, rowState) {
			line := Line{{Role: b.resultRole(text), Text: text}}
			if b.Tool.Diff || len(text) > mostWrapped {
				return indented(Fold(line, width-4)), state
			}
			return indented(Wrap(line, width-4)), state
		}
	}
	if b.Calm { // the symbol before the text already identifies a notice
		role = Plain
	}
	lay := func(span Span, width int) []Line { return Wrap(Line{span}, width) }
	if b.Kind == Notice || b.Kind == Failure {
		lay = WrapAligned // the text can contain tables
	}
	return withHangingIndent(mark, func(text string, state rowState) ([]Line, rowState) {
		return lay(Span{Role: role, Text: text}, width-2), state
	})
}

// withHangingIndent adds a mark before the first row and indents the other rows.
func withHangingIndent(mark Span, row rowFunc) rowFunc {
	return func(text string, state rowState) ([]Line, rowState) {
		laid, next := row(text, state)
		for i := range laid {
			margin := Span{Role: Plain, Part: Margin, Text: "  "}
			if mark.Role == Band {
				margin.Role = Band
			}
			if i == 0 && !state.begun {
				margin = mark
			} else if len(laid[i]) == 0 && margin.Role == Plain {
				continue
			}
			laid[i] = append(Line{margin}, laid[i]...)
		}
		next.begun = true
		return laid, next
	}
}

func indented(rows []Line) []Line {
	for i := range rows {
		rows[i] = append(Line{{Role: Faint, Part: Margin, Text: "  │ "}}, rows[i]...)
	}
	return rows
}

func (b *Block) resultRole(text string) Role {
	switch {
	case !b.Tool.Diff:
		return Faint
	case strings.HasPrefix(text, "+++ "), strings.HasPrefix(text, "--- "):
		return Strong
	case strings.HasPrefix(text, "+"):
		return Added
	case strings.HasPrefix(text, "-"):
		return Removed
	case strings.HasPrefix(text, "@@"):
		return Hunk
	}
	return Plain
}
