package highlight

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// language is what one needs to know to colour code roughly.
type language struct {
	keywords string // words with spaces between
	builtin  string // names of types, values and functions that are always there
	fold     bool   // upper and lower case are the same

	comment []string // patterns of comments that end with their line
	open    string   // what begins and ends a comment of several lines
	close   string
	quotes  string   // each delimits text within a line
	long    []string // each delimits text over several lines
	raw     []string // the same, and a backslash in it is one
	before  []rule   // what is looked for first
}

// rule is a pattern within a line, and what it is.
type rule struct {
	pattern string
	kind    chroma.TokenType
}

var (
	mutex  sync.Mutex
	lexers map[string]chroma.Lexer // of languages that were shown, by canonical name
)

const number = `\b(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)[a-zA-Z%]*`

// rules is the language as chroma reads it.
func (l *language) rules() chroma.Rules {
	root := []chroma.Rule{{Pattern: `\n`, Type: rootBreak}}
	rules := chroma.Rules{}
	put := func(pattern string, kind chroma.Emitter, mutator chroma.Mutator) {
		root = append(root, chroma.Rule{Pattern: pattern, Type: kind, Mutator: mutator})
	}
	for _, first := range l.before {
		put(first.pattern, first.kind, nil)
	}
	put(`[^\S\n]+`, chroma.Text, nil)
	for _, comment := range l.comment {
		put(comment+`[^\n]*`, chroma.Comment, nil)
	}
	if l.open != "" {
		put(regexp.QuoteMeta(l.open), chroma.Comment, chroma.Push("comment"))
		rules["comment"] = within(l.close, chroma.Comment, true)
	}
	for _, long := range slices.Concat(l.long, l.raw) {
		put(regexp.QuoteMeta(long), chroma.LiteralString, chroma.Push(long))
		rules[long] = within(long, chroma.LiteralString, slices.Contains(l.raw, long))
	}
	for _, quote := range l.quotes {
		q := regexp.QuoteMeta(string(quote))
		put(q+`(?:\\[^\n]|[^`+q+`\\\n])*`+q+`?`, chroma.LiteralString, nil)
	}
	put(`[\p{L}_$][\p{L}\p{N}_$]*`, chroma.EmitterFunc(l.word()), nil)
	put(number, chroma.LiteralNumber, nil)
	put(`[^\n]`, chroma.Text, nil)
	rules["root"] = root
	return rules
}

// word tells keywords and names from other words: one look into a table is cheaper
// than an alternation of fifty.
func (l *language) word() func([]string, *chroma.LexerState) chroma.Iterator {
	kinds := map[string]chroma.TokenType{}
	for _, name := range strings.Fields(l.builtin) {
		kinds[name] = chroma.NameBuiltin
	}
	for _, keyword := range strings.Fields(l.keywords) {
		kinds[keyword] = chroma.Keyword
	}
	return func(groups []string, state *chroma.LexerState) chroma.Iterator {
		found := groups[0]
		if l.fold {
			found = strings.ToLower(found)
		}
		kind, known := kinds[found]
		if !known && state.Pos < len(state.Text) && state.Text[state.Pos] == '(' {
			kind, known = chroma.NameFunction, true
		}
		if !known {
			kind = chroma.Text
		}
		return chroma.Literator(chroma.Token{Type: kind, Value: groups[0]})
	}
}

// within is the inside of something that ends with a text, over lines.
func within(end string, kind chroma.TokenType, verbatim bool) []chroma.Rule {
	first := regexp.QuoteMeta(end[:1])
	rules := []chroma.Rule{{Pattern: regexp.QuoteMeta(end), Type: kind, Mutator: chroma.Pop(1)}}
	if verbatim {
		return append(rules, chroma.Rule{Pattern: `[^\n` + first + `]+`, Type: kind}, chroma.Rule{Pattern: `\n|` + first, Type: kind})
	}
	return append(rules,
		chroma.Rule{Pattern: `\\[^\n]`, Type: kind},
		chroma.Rule{Pattern: `[^\n\\` + first + `]+`, Type: kind},
		chroma.Rule{Pattern: `\n|\\|` + first, Type: kind})
}
