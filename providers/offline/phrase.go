package offline

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// phrase is a pattern for requests. The files in phrases/ contain patterns such as this one:
//
//	(what is|how is) [the] weather [in {location:place}] [{days:days}]
//
// A word matches itself, ignoring case and accents. "(x|y)" matches x or y, and "[x]" matches x or
// nothing. "<name>" inserts the definition of @name from the same file, and "{parameter:kind}"
// reads a value for the parameter. After the pattern, "-> parameter=value, …" sets values that the
// words imply.
type phrase struct {
	tool    string // a tool's name, or an answer's name with the prefix "!"
	pattern string
	fixed   map[string]string
	locale  string
	line    int

	book  *grammar // the grammar of the phrase's file; nil if there is no pattern
	nodes []node
}

func (p *phrase) parsed() []node {
	if p.book == nil {
		return p.nodes
	}
	p.book.mu.Lock()
	defer p.book.mu.Unlock()
	if p.nodes == nil {
		p.nodes, _ = p.book.parse(p.pattern)
	}
	return p.nodes
}

// node is a word, a slot, or a list of alternatives. If one alternative is empty, the other
// alternatives are optional.
type node struct {
	word         string
	slot         *hole
	alternatives [][]node
}

// hole is the placeholder for a value in a phrase or a frame.
type hole struct {
	name string
	kind string
}

// grammar is the set of phrases of one file. A pattern is parsed on first use, because parsing all
// 2,500 phrases took 20 ms.
type grammar struct {
	locale  string
	macros  map[string]*macro
	phrases []phrase
	said    map[string]string // messages, keyed by name
	words   func() map[string]bool

	mu sync.Mutex // guards the parsed patterns
}

// macro is the pattern that a line "@name = pattern" defines.
type macro struct {
	pattern string
	line    int
	nodes   []node
}

func readGrammar(locale, text string) *grammar {
	g := &grammar{locale: locale, macros: map[string]*macro{}, said: map[string]string{}, phrases: make([]phrase, 0, 1<<10)}
	g.words = sync.OnceValue(g.readWords)
	tool, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case line[0] == '@':
			name, pattern, _ := strings.Cut(line[1:], " = ")
			g.macros[name] = &macro{pattern: "(" + pattern + ")", line: number}
		case line[0] == '"':
			name, said, _ := strings.Cut(line[1:], `" `)
			g.said[name] = said
		case line[0] != ' ':
			tool = line
		default:
			g.add(tool, line, number)
		}
	}
	return g
}

func (g *grammar) add(tool, line string, number int) {
	pattern, implied, _ := strings.Cut(line, " -> ")
	p := phrase{tool: tool, pattern: strings.TrimLeft(pattern, " "), locale: g.locale, line: number, book: g}
	for pair := range strings.SplitSeq(implied, ", ") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			if p.fixed == nil {
				p.fixed = map[string]string{}
			}
			p.fixed[strings.TrimSpace(name)] = value
		}
	}
	g.phrases = append(g.phrases, p)
}

func (g *grammar) readWords() map[string]bool {
	words := make(map[string]bool, 4<<10)
	for _, one := range g.macros {
		addWords(words, one.pattern)
	}
	for i := range g.phrases {
		addWords(words, g.phrases[i].pattern)
	}
	return words
}

// parse returns a pattern's nodes. The caller must hold g.mu.
func (g *grammar) parse(pattern string) ([]node, error) {
	c := cursor{text: pattern, grammar: g}
	list, err := c.alternatives(false)
	switch {
	case err != nil:
		return nil, err
	case c.at < len(c.text):
		return nil, fmt.Errorf("%q closes nothing", c.text[c.at:])
	case len(list) == 1:
		return list[0], nil
	}
	return []node{{alternatives: list}}, nil
}

// cursor is a position in a pattern.
type cursor struct {
	text    string
	at      int
	grammar *grammar
}

// alternatives parses the pattern from the current position to a closing bracket or the end. If
// optional is true, the list ends with an empty alternative.
func (c *cursor) alternatives(optional bool) (list [][]node, err error) {
	var nodes []node
	for c.at < len(c.text) && c.text[c.at] != ')' && c.text[c.at] != ']' {
		switch c.text[c.at] {
		case ' ':
			c.at++
		case '|':
			c.at++
			list, nodes = append(list, nodes), nil
		case '(', '[':
			inner, err := c.group()
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, node{alternatives: inner})
		case '{', '<':
			n, err := c.reference()
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, n...)
		default:
			end := wordEnd(c.text, c.at)
			nodes = append(nodes, node{word: folded(c.text[c.at:end])})
			c.at = end
		}
	}
	list = append(list, nodes)
	if optional {
		list = append(list, nil)
	}
	return list, nil
}

func (c *cursor) group() ([][]node, error) {
	open := c.text[c.at]
	c.at++
	inner, err := c.alternatives(open == '[')
	if err != nil {
		return nil, err
	}
	if c.at >= len(c.text) || (open == '(') != (c.text[c.at] == ')') {
		return nil, fmt.Errorf("%q is not closed", open)
	}
	c.at++
	// Longer alternatives come first: "weather forecast" before "weather".
	slices.SortStableFunc(inner, func(a, b []node) int { return len(b) - len(a) })
	return inner, nil
}

func (c *cursor) reference() ([]node, error) {
	closing := byte('}')
	if c.text[c.at] == '<' {
		closing = '>'
	}
	end := strings.IndexByte(c.text[c.at:], closing)
	if end < 0 {
		return nil, fmt.Errorf("%q is not closed", c.text[c.at:])
	}
	inner := c.text[c.at+1 : c.at+end]
	c.at += end + 1
	if closing == '>' {
		one, ok := c.grammar.macros[inner]
		if !ok {
			return nil, fmt.Errorf("nothing is called <%s>", inner)
		}
		if one.nodes == nil {
			nodes, err := c.grammar.parse(one.pattern)
			if err != nil {
				return nil, err
			}
			one.nodes = nodes
		}
		return one.nodes, nil
	}
	name, kind, ok := strings.Cut(inner, ":")
	if !ok || kinds()[kind] == nil {
		return nil, fmt.Errorf("{%s} has no known kind", inner)
	}
	return []node{{slot: &hole{name, kind}}}, nil
}
