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

// Kind is what a block is.
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

// Block is one thing in the transcript: a prompt, a stretch of answer, a tool call. A long
// conversation has ten thousand, so that what few of them have at a time is elsewhere.
type Block struct {
	Kind Kind
	Gap  bool               // an empty line comes before it
	Raw  bool               // an answer that is no Markdown
	Calm bool               // a notice that warns of nothing
	Tool *conversation.Call // of a call, nil for others

	text   strings.Builder
	layout *layout           // nil while it is out of sight
	open   bool              // how it was laid out: folded or not
	held   bool              // the window knows that it is laid out
	short  bool              // it is shown unasked: a change of a file, or what a command of the person's own printed
	own    bool              // a command of the person's own
	kind   messages.ViewKind // of the displayed part of a call, "" for its plain result
	mind   *mind             // of thoughts, nil for others
	album  *album            // of one with pictures, nil for others
	about  choice            // what a notice tells of
	fold   fold
	size   size
}

// layout is the rows of a block.
type layout struct {
	flow   flow
	answer document // instead of flow, for Markdown
	diff   struct { // instead of flow, for a change of a file
		width, text int
		lines       []Line
	}
}

// laid is the layout, which begins empty.
func (b *Block) laid() *layout {
	if b.layout == nil {
		b.layout = &layout{}
	}
	return b.layout
}

// fold is what a person chose for one block.
type fold uint8

const (
	asAll fold = iota
	opened
	folded
)

// choice is what a person goes through with a key.
type choice uint8

const (
	anything choice = iota
	model
	effort
	approval
)

// size is what remains of a layout that was dropped.
type size struct {
	rows, width, text int
	open              bool
}

// drop gives the layout up; the text stays.
func (b *Block) drop() { b.layout, b.held = nil, false }

// Text is what was written so far.
func (b *Block) Text() string { return b.text.String() }

// write appends foreign text.
func (b *Block) write(text string) { b.text.WriteString(termsafe.String(text)) }

// replace sets another text, which is laid out again.
func (b *Block) replace(text string) {
	b.text.Reset()
	b.size = size{}
	b.write(text)
	if b.layout != nil {
		b.layout.flow = flow{}
	}
}

// minWidth is the narrowest layout; front ends say "too small" long before.
const minWidth = 6

// Lines lays the block out. Open shows what is folded otherwise; now is for the
// elapsed time of a running tool. The result belongs to the block.
func (b *Block) Lines(width int, open bool, now time.Time) []Line {
	width = max(width, minWidth)
	if b.Kind == Answer && !b.Raw {
		return b.markdown(width)
	}
	rows := &b.laid().flow
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
		shown := slices.Clip(rows.lay(head))
		return append(shown, Line{{Role: Band, Part: Margin, Text: "  "}, {Role: Faint, Text: Cut(fmt.Sprintf("… %d more lines · a click or Ctrl-O unfolds", more), max(width-2, 1))}})
	}
	return rows.lay(b.text.String())
}

// A prompt of more lines than longPrompt, such as a paste, is folded to headOfPrompt of them.
const (
	longPrompt   = 20
	headOfPrompt = 8
)

// long reports whether a prompt is folded.
func (b *Block) long() bool {
	return b.Kind == Prompt && strings.Count(b.text.String(), "\n") >= longPrompt
}

// head is the beginning of a long prompt, and the number of lines after it.
func (b *Block) head() (text string, more int) {
	text = b.text.String()
	end := 0
	for range headOfPrompt {
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	return text[:end-1], strings.Count(text[end:], "\n") + 1
}

func (b *Block) markdown(width int) []Line {
	rows := &b.laid().answer
	if rows.width != width {
		*rows = document{width: width}
		if b.Gap {
			rows.lines, rows.settled = []Line{nil}, 1
		}
	}
	return rows.lay(b.text.String())
}

// mind is when a model thought.
type mind struct {
	began, ended time.Time // ended is zero while it continues
}

// String begins the line that thoughts are folded to.
func (m *mind) String() string {
	switch {
	case m == nil: // of a conversation that was taken up, which does not know
		return "thought: "
	case m.ended.IsZero():
		return "thinking: "
	}
	return Thought(m.ended.Sub(m.began)) + ": "
}

// Thought says that a model thought so long, 0 for who does not know.
func Thought(took time.Duration) string {
	if took == 0 {
		return "thought"
	}
	return "thought for " + Elapsed(took.Round(100*time.Millisecond))
}

// lastLine is the end of the thinking so far.
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

// mostWrapped is how long a line of a result is that is broken between words, in bytes.
const mostWrapped = 4 << 10

// rows makes the function that lays out one line of text of this kind of block.
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
	if b.Calm { // its sign says what it is
		role = Plain
	}
	lay := func(span Span, width int) []Line { return Wrap(Line{span}, width) }
	if b.Kind == Notice || b.Kind == Failure {
		lay = Hang // they may be tables
	}
	return hanging(mark, func(text string, state rowState) ([]Line, rowState) {
		return lay(Span{Role: role, Text: text}, width-2), state
	})
}

// hanging puts a mark before the first row and a margin before the others.
func hanging(mark Span, row rowFunc) rowFunc {
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
