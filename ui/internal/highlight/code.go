package highlight

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// Kind classifies a piece of code.
type Kind uint8

// The kinds.
const (
	Plain Kind = iota
	Keyword
	Name // functions, types, keys, tags and built-in names
	String
	Number
	Comment
	Added // added in a diff
	Removed
	Hunk
)

// Token is a run of characters of the same kind within a line.
type Token struct {
	Kind Kind
	Text string
}

// Code is source code that grows line by line. The zero value is empty and has an unknown language.
type Code struct {
	lexer   chroma.Lexer
	pending []string // lines that Settle has not returned
}

// New returns an empty Code. The language is named as in a Markdown code fence. If the language is
// unknown, all tokens are [Plain].
func New(language string) *Code { return &Code{lexer: lexer(language)} }

// Known reports whether the language is known.
func (c *Code) Known() bool { return c.lexer != nil }

// longest is the maximum number of lines in one multi-line construct. After that many lines,
// parsing starts over. The limit keeps the cost low if a string in streamed code is never closed.
const longest = 200

// Add adds a complete line.
func (c *Code) Add(line string) { c.pending = append(c.pending, line) }

// Settle returns lines whose tokens are final. It returns each line only once.
func (c *Code) Settle() [][]Token {
	var settled [][]Token
	for len(c.pending) > 0 {
		batch := c.pending[:min(len(c.pending), longest)]
		lines, whole := c.read(batch)
		if whole == 0 && len(batch) == longest {
			whole = longest
		}
		if whole == 0 {
			break
		}
		settled = append(settled, lines[:whole]...)
		c.pending = c.pending[whole:]
	}
	return settled
}

// Open is like [Code.Rest], but appends the given incomplete line.
func (c *Code) Open(partial string) [][]Token {
	lines, _ := c.read(append(c.pending[:len(c.pending):len(c.pending)], partial))
	return lines
}

// Rest returns the lines that [Code.Settle] has not returned.
func (c *Code) Rest() [][]Token {
	lines, _ := c.read(c.pending)
	return lines
}

// read divides lines into tokens. It also returns the number of leading lines whose tokens are
// final. The last of these lines does not end within a multi-line string or comment.
func (c *Code) read(lines []string) (read [][]Token, whole int) {
	if c.lexer == nil || len(lines) == 0 {
		return verbatim(lines), len(lines)
	}
	tokens, err := c.lexer.Tokenise(nil, strings.Join(lines, "\n")+"\n")
	if err != nil { // only an invalid rule causes an error, and the tests check all rules
		return verbatim(lines), len(lines)
	}
	var line []Token
	for token := tokens(); token != chroma.EOF && len(read) < len(lines); token = tokens() {
		for text := token.Value; ; {
			before, after, broken := strings.Cut(text, "\n")
			line = add(line, kind(token.Type), before)
			if !broken {
				break
			}
			read, line, text = append(read, line), nil, after
			if token.Type == rootBreak {
				whole = len(read)
			}
			if len(read) == len(lines) {
				break
			}
		}
	}
	for len(read) < len(lines) {
		read, line = append(read, line), nil
	}
	return read, whole
}

func verbatim(lines []string) (read [][]Token) {
	for _, line := range lines {
		read = append(read, []Token{{Plain, line}})
	}
	return read
}

func add(line []Token, kind Kind, text string) []Token {
	if text == "" {
		return line
	}
	if n := len(line); n > 0 && line[n-1].Kind == kind {
		line[n-1].Text += text
		return line
	}
	return append(line, Token{kind, text})
}

// rootBreak is the token type of a line break outside multi-line strings and comments.
const rootBreak = chroma.TextWhitespace

func kind(of chroma.TokenType) Kind {
	switch of {
	case chroma.GenericInserted:
		return Added
	case chroma.GenericDeleted:
		return Removed
	case chroma.GenericSubheading:
		return Hunk
	}
	switch {
	case of.InCategory(chroma.Keyword):
		return Keyword
	case of.InSubCategory(chroma.LiteralString):
		return String
	case of.InSubCategory(chroma.LiteralNumber):
		return Number
	case of.InCategory(chroma.Comment):
		return Comment
	case of.InCategory(chroma.Name):
		return Name
	}
	return Plain
}
