package offline

import (
	"fmt"
	"slices"
	"strings"
)

// phrase is one way of asking for something, as the files in phrases/ write it:
//
//	(what is|how is) [the] weather [in {location:place}] [{days:days}]
//
// A word stands for itself without case and accents, (a|b) for one of several, [a] for
// a or nothing, <name> for what the file defines as @name, {parameter:kind} for a value,
// and "-> parameter=value, …" behind it for values that the words imply.
type phrase struct {
	tool   string // or "!" and the name of something said
	nodes  []node
	fixed  map[string]string
	locale string
	line   int
}

// node is a word, a slot, or alternatives; an empty alternative is optional.
type node struct {
	word         string
	number       int // of the word, among those of its grammar
	slot         *hole
	alternatives [][]node
}

// hole is where a phrase takes a value.
type hole struct {
	name string
	kind string
}

// grammar parses one file of phrases.
type grammar struct {
	locale  string
	macros  map[string][]node
	phrases []phrase
	said    map[string]string // texts, by their names
	words   map[string]int    // each has a number, from 0
	nodes   slab[node]
	lists   slab[[]node]
	open    struct { // what is read and not at its end yet, the innermost last
		nodes []node
		lists [][]node
	}
}

// slab is where short slices lie one behind the other: the phrases are parsed in 8 ms, and were in
// 14 when each slice had memory of its own.
type slab[T any] struct{ rest []T }

// keep is a copy of a slice, never appended to.
func (s *slab[T]) keep(values []T) []T {
	if len(values) == 0 {
		return nil
	}
	if len(values) > cap(s.rest)-len(s.rest) {
		s.rest = make([]T, 0, max(1<<10, len(values)))
	}
	from := len(s.rest)
	s.rest = append(s.rest, values...)
	return s.rest[from:len(s.rest):len(s.rest)]
}

func parseGrammar(locale, text string) (*grammar, error) {
	g := &grammar{locale: locale, macros: map[string][]node{}, said: map[string]string{}, words: make(map[string]int, 2<<10)}
	tool, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		var err error
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case line[0] == '@':
			name, pattern, _ := strings.Cut(line[1:], " = ")
			g.macros[name], err = g.parse("(" + pattern + ")")
		case line[0] == '"':
			name, said, _ := strings.Cut(line[1:], `" `)
			g.said[name] = said
		case line[0] != ' ':
			tool = line
		default:
			err = g.add(tool, line, number)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", locale, number, err)
		}
	}
	return g, nil
}

func (g *grammar) add(tool, line string, number int) error {
	pattern, implied, _ := strings.Cut(line, " -> ")
	nodes, err := g.parse(pattern)
	if err != nil {
		return err
	}
	p := phrase{tool: tool, nodes: nodes, locale: g.locale, line: number}
	for pair := range strings.SplitSeq(implied, ", ") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			if p.fixed == nil {
				p.fixed = map[string]string{}
			}
			p.fixed[strings.TrimSpace(name)] = value
		}
	}
	g.phrases = append(g.phrases, p)
	return nil
}

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

// word is the node of a word.
func (g *grammar) word(text string) node {
	number, known := g.words[text]
	if !known {
		number = len(g.words)
		g.words[text] = number
	}
	return node{word: text, number: number}
}

// cursor reads a pattern.
type cursor struct {
	text    string
	at      int
	grammar *grammar
}

// alternatives reads up to a closing bracket, or to the end. What is optional has an empty one.
func (c *cursor) alternatives(optional bool) ([][]node, error) {
	g := c.grammar
	nodes, lists := len(g.open.nodes), len(g.open.lists)
	next := func() {
		g.open.lists = append(g.open.lists, g.nodes.keep(g.open.nodes[nodes:]))
		g.open.nodes = g.open.nodes[:nodes]
	}
	for c.at < len(c.text) && c.text[c.at] != ')' && c.text[c.at] != ']' {
		switch c.text[c.at] {
		case ' ':
			c.at++
		case '|':
			c.at++
			next()
		case '(', '[':
			inner, err := c.group()
			if err != nil {
				return nil, err
			}
			g.open.nodes = append(g.open.nodes, node{alternatives: inner})
		case '{', '<':
			n, err := c.reference()
			if err != nil {
				return nil, err
			}
			g.open.nodes = append(g.open.nodes, n...)
		default:
			end := c.at + 1
			for end < len(c.text) && strings.IndexByte(" |()[]{}<>", c.text[end]) < 0 {
				end++
			}
			g.open.nodes = append(g.open.nodes, g.word(folded(c.text[c.at:end])))
			c.at = end
		}
	}
	next()
	if optional {
		g.open.lists = append(g.open.lists, nil)
	}
	list := g.lists.keep(g.open.lists[lists:])
	g.open.lists = g.open.lists[:lists]
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
	// The longer one first: "weather forecast" before "weather".
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
		nodes, ok := c.grammar.macros[inner]
		if !ok {
			return nil, fmt.Errorf("nothing is called <%s>", inner)
		}
		return nodes, nil
	}
	name, kind, ok := strings.Cut(inner, ":")
	if !ok || kinds()[kind] == nil {
		return nil, fmt.Errorf("{%s} has no kind that is known", inner)
	}
	return []node{{slot: &hole{name, kind}}}, nil
}
