package dialect

import (
	"regexp"
	"strings"
	"sync"

	"marvin/providers"
)

// A filter holds text that could become a call, and forwards all other text at once.
type filter struct {
	emit    func(providers.Part)
	grammar grammar

	held    []byte // a block that could become a call
	recheck int    // the length, in bytes, at which the held text is parsed again
	passing bool   // the rest of the answer is forwarded as text

	// The following fields describe the position in the text.
	blank  bool // only white space so far
	inLine bool // the line already has text
	indent int  // indentation of this line
	ticks  int  // number of backticks at the beginning of the line
	fenced bool // inside a code fence
}

func newFilter(offered []providers.ToolSpec, emit func(providers.Part)) *filter {
	names := make(map[string]bool, len(offered))
	for _, tool := range offered {
		names[tool.Name] = true
	}
	return &filter{emit: emit, grammar: grammar{names}, blank: true}
}

func (f *filter) part(part providers.Part) {
	if part.Kind != providers.TextPart {
		f.emit(part)
		return
	}
	if len(f.held) > 0 {
		f.held = append(f.held, part.Text...)
		f.judge()
		return
	}
	f.write(part.Text)
}

// write emits text up to the first possible start of a block. A block starts only at the beginning
// of a line outside a fence.
func (f *filter) write(text string) {
	for i := 0; i < len(text) && !f.passing; {
		if f.inLine {
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				break
			}
			i += n
		}
		switch c := text[i]; {
		case c == '\n':
			f.inLine, f.indent, f.ticks = false, 0, 0
		case c == ' ' || c == '\r' && f.indent == 0:
			f.indent++
		case f.mayBegin(text[i:]):
			f.show(text[:i])
			f.held = append(f.held, text[i:]...)
			f.judge()
			return
		case c == '`' && f.ticks < 2:
			f.ticks++
			f.blank = false
		default:
			if c == '`' {
				f.fenced = !f.fenced
			}
			f.inLine, f.blank = true, false
		}
		i++
	}
	f.show(text)
}

// quoteIndent is the number of spaces that begin an indented code block in Markdown.
const quoteIndent = 4

func (f *filter) mayBegin(rest string) bool {
	if f.fenced || f.indent >= quoteIndent || f.ticks > 0 {
		return false
	}
	for _, tag := range tags {
		if strings.HasPrefix(rest, tag) || strings.HasPrefix(tag, rest) {
			return true
		}
	}
	return f.blank && (rest[0] == '{' || strings.HasPrefix(rest, fence) || strings.HasPrefix(fence, rest))
}

// smallBlock is the maximum size, in bytes, of a block that is parsed whenever a piece of text
// arrives. A larger block is parsed only after it has grown by a quarter, so that the total time is
// linear.
const smallBlock = 512

// judge forwards the held text if this text can no longer become a call.
func (f *filter) judge() {
	if len(f.held) >= f.recheck {
		text := string(f.held)
		if _, verdict := f.grammar.read(text); verdict == never {
			f.release()
			return
		}
		if len(text) > smallBlock {
			f.recheck = len(text) * 5 / 4
		}
	}
	f.signOfLife()
}

var named = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"name"\s*:\s*"([^"\\]+)"|<function=([^<>\s]+)>`) })

// signOfLife reports that a call is being written, so that the silence limit does not apply.
func (f *filter) signOfLife() {
	head := f.held[:min(len(f.held), smallBlock)]
	if match := named().FindSubmatch(head); match != nil {
		f.emit(providers.Part{Kind: providers.CallingPart, Text: string(match[1]) + string(match[2])})
	} else if len(f.held) > len(head) {
		f.emit(providers.Part{Kind: providers.CallingPart})
	}
}

// release emits the held text. If this text begins with a tag, f does not parse the rest of the
// answer, because such an answer explains calls and makes none.
func (f *filter) release() {
	if len(f.held) == 0 {
		return
	}
	text := string(f.held)
	f.held, f.recheck, f.blank = nil, 0, false
	f.passing = f.passing || tagged(text)
	f.write(text)
}

func (f *filter) finish() {
	f.passing = true
	f.release()
}

func (f *filter) show(text string) {
	if text != "" {
		f.emit(providers.Part{Kind: providers.TextPart, Text: text})
	}
}
