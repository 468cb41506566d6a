package spelling

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// mostBraces is the maximum number of words in the expansion of one word. A word with a longer
// expansion remains unchanged.
const mostBraces = 64

// ExpandBraces expands the braces in words as the shell does. For example, {a,b}c becomes ac and
// bc.
func ExpandBraces(args []*syntax.Word) []*syntax.Word {
	if !slices.ContainsFunc(args, braced) {
		return args
	}
	var list []*syntax.Word
	for _, arg := range args {
		if !braced(arg) {
			list = append(list, arg)
			continue
		}
		split := &syntax.Word{Parts: slices.Clone(arg.Parts)}
		syntax.SplitBraces(split)
		forms, ok := alternatives(split.Parts)
		if !ok {
			list = append(list, arg)
			continue
		}
		for _, parts := range forms {
			list = append(list, &syntax.Word{Parts: parts})
		}
	}
	return list
}

// braced returns true if an unquoted literal in the word contains "{".
func braced(word *syntax.Word) bool {
	return slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
		literal, ok := part.(*syntax.Lit)
		return ok && slices.Contains([]byte(literal.Value), '{')
	})
}

// alternatives expands the braces in a word, and returns the parts of each resulting word. ok is
// false if there are too many words, or if the braces contain a sequence such as {1..9}.
func alternatives(parts []syntax.WordPart) (forms [][]syntax.WordPart, ok bool) {
	forms = [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, isBrace := part.(*syntax.BraceExp)
		if !isBrace {
			for n := range forms {
				forms[n] = append(slices.Clip(forms[n]), part)
			}
			continue
		}
		if brace.Sequence {
			return nil, false
		}
		var ends, longer [][]syntax.WordPart
		for _, element := range brace.Elems {
			within, ok := alternatives(element.Parts)
			if !ok {
				return nil, false
			}
			ends = append(ends, within...)
		}
		if len(forms)*len(ends) > mostBraces {
			return nil, false
		}
		for _, form := range forms {
			for _, end := range ends {
				longer = append(longer, append(slices.Clip(form), end...))
			}
		}
		forms = longer
	}
	return forms, true
}
