package sums

import (
	"regexp"
	"strings"
	"sync"
)

// pieces returns a pattern that matches one token: a number, a word or a symbol.
var pieces = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\*\*|[\p{L}]+\d*|\S`)
})

// spoken is a map from synonyms, such as "times" or "×", to notation that the parser understands.
var spoken = map[string]string{
	"×": "*", "·": "*", "⋅": "*", "∙": "*", "x": "*", "times": "*", "**": "^", "÷": "/", ":": "/", "over": "/", "−": "-", "–": "-",
	"plus": "+", "minus": "-", "modulo": "mod", "percent": "%", "prozent": "%", "²": "^2", "³": "^3", "√": "sqrt", "root": "sqrt",
	"squared": "^2", "cubed": "^3", "[": "(", "]": ")", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
}

// phraseSigns replaces phrases, such as "divided by" or "square root of", with operators and
// function names.
var phraseSigns = strings.NewReplacer(
	"divided by", "/", "multiplied by", "*", "to the power of", "^", "square root of", "sqrt", "square root", "sqrt", "raised to", "^", "per cent", "%",
)

// scan returns the tokens of an expression. It ignores an equals sign or question mark at the end.
func scan(expression string) []string {
	expression = strings.TrimRight(strings.TrimSpace(strings.ToLower(expression)), "=? ")
	var tokens []string
	for _, token := range pieces().FindAllString(phraseSigns.Replace(expression), -1) {
		if token[0] >= '0' && token[0] <= '9' {
			tokens = append(tokens, strings.NewReplacer(",", "", "_", "").Replace(token))
			continue
		}
		switch plain := spoken[token]; plain {
		case "":
			tokens = append(tokens, token)
		case "^2", "^3":
			tokens = append(tokens, "^", plain[1:])
		default:
			tokens = append(tokens, plain)
		}
	}
	return tokens
}
