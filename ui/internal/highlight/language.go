package highlight

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// language contains simple rules for coloring code.
type language struct {
	keywords string // separated by spaces
	builtin  string // built-in types, values and functions
	fold     bool   // keywords and built-in names are case-insensitive

	comment []string // patterns that match the start of a line comment
	open    string   // start of a multi-line comment
	close   string   // end of a multi-line comment
	quotes  string   // characters that delimit a string within one line
	long    []string // delimiters of strings that may span several lines
	raw     []string // delimiters of multi-line strings without backslash escapes
	before  []rule   // rules that are tried before all others
}

// rule assigns a kind to text that matches a pattern. A match never spans several lines.
type rule struct {
	pattern string
	kind    chroma.TokenType
}

var (
	mutex  sync.Mutex
	lexers map[string]chroma.Lexer // cached lexers, keyed by canonical language name
)

const number = `\b(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)[a-zA-Z%]*`

// rules returns the chroma rules for the language.
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
		rules["comment"] = constructRules(l.close, chroma.Comment, true)
	}
	for _, long := range slices.Concat(l.long, l.raw) {
		put(regexp.QuoteMeta(long), chroma.LiteralString, chroma.Push(long))
		rules[long] = constructRules(long, chroma.LiteralString, slices.Contains(l.raw, long))
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

// word returns an emitter that looks up words in a map. A regular expression of all keywords would
// be slower.
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

// constructRules returns the rules for a multi-line string or comment after its opening delimiter.
// If verbatim is true, a backslash is an ordinary character.
func constructRules(end string, kind chroma.TokenType, verbatim bool) []chroma.Rule {
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
