package memory

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	askedToRemember = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)(?:^|[^\pL])(?:(?:please |do )?remember|note (?:that|down)|keep in mind|don['’]?t forget|do not forget|memorize|memorise|bear in mind|for the future|merk(?:e)? dir|denk daran|vergiss nicht|behalte|souviens[- ]toi|retiens|n['’]oublie pas|rappelle[- ]toi)(?:[\s,:]+(?:that|dass|daß|que|this|it)\b)?[\s,:]*(.*)$`)
	})
	askedToForget = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)(?:^|[^\pL])(?:forget|vergiss|vergessen|lösche?|oublie|unlearn|stop remembering)[\s,:]*(.*)$`)
	})
	refusedFirst = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)(?:don['’]?t|do not|never|nicht|ne|n['’])\s*(?:ever |just |to )?$`)
	})
	negated = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:no|not|dont|never|nicht|nie|niemals|ne|pas|jamais)\b|n['’]t\b|\bn['’]|auf keinen fall`)
	})
	conjunction = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i),?\s+(?:and that|and|und|et)\s+`) })
	everywhere  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(?:^|\b)(?:everywhere|überall|partout)\b`) })
	clauseEnd   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.!?;](?:\s|$)|\n`) })
)

// OwnFact reports whether the user typed a request to remember a fact. A clause after the request
// must consist of the fact's words in the same order; "my" counts as "the user's".
func OwnFact(typed, fact string) bool {
	return slices.ContainsFunc(clausesBehind(askedToRemember(), typed), func(clause string) bool { return sameClaim(clause, fact) })
}

// OwnForgetting reports whether the typed text asks to forget every fact in facts. If the text
// contains a negated request, such as "don't forget my dog", the result is false.
func OwnForgetting(typed string, facts []Fact) bool {
	for _, sentence := range clauseEnd().Split(typed, -1) {
		if askedToForget().MatchString(sentence) && negated().MatchString(sentence) {
			return false
		}
	}
	for _, clause := range clausesBehind(askedToForget(), typed) {
		named := FindFacts(facts, everywhere().ReplaceAllString(clause, " "))
		if len(named) == len(facts) && len(facts) > 0 {
			return true
		}
	}
	return false
}

// clausesBehind returns the clauses that follow a request to remember or to forget.
func clausesBehind(asks *regexp.Regexp, typed string) (clauses []string) {
	at := asks.FindStringSubmatchIndex(typed)
	if at == nil || refusedFirst().MatchString(typed[:at[0]]) {
		return nil
	}
	rest := typed[at[2]:]
	clauses = append(clauses, rest)
	for _, part := range clauseEnd().Split(rest, -1) {
		if part = strings.TrimSpace(part); part != "" {
			clauses = append(clauses, part)
			clauses = append(clauses, splitAnd(part)...)
		}
	}
	return clauses
}

func splitAnd(clause string) []string {
	parts := conjunction().Split(clause, -1)
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// sameClaim reports whether two statements have the same words in the same order, apart from
// fillers, grammatical person and word endings.
func sameClaim(said, fact string) bool {
	strip := func(text string) (words []string) {
		for _, word := range normalWords(text) {
			if word != "user" && word != "is" && word != "are" && word != "that" && word != "does" && word != "do" && word != "please" {
				words = append(words, word)
			}
		}
		return words
	}
	a, b := strip(said), strip(fact)
	return len(a) > 0 && slices.EqualFunc(a, b, sameWord)
}

// sameWord reports whether two words are forms of one word, such as "eat" and "eats".
func sameWord(a, b string) bool {
	if a == b {
		return true
	}
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	return len(short) >= 3 && strings.HasPrefix(long, short) && slices.Contains([]string{"s", "es", "ed", "d", "'s"}, long[len(short):])
}
