package offline

import (
	"regexp"
	"sync"
)

// factShape matches general-knowledge questions, which the web can answer.
var factShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(what is the ((capital|population|height|size|currency|area|length|depth|speed|age|president|flag|language|boiling point|melting point|origin|formula|symbol) of|largest|biggest|tallest|highest|longest|fastest|smallest|oldest|deepest) |` +
		`who (invented|discovered|founded|painted|composed|built|assassinated|killed|won|created|designed|sang|sings|owns|leads|rules|wrote|said|developed|coined|makes|discovers) |` +
		`how (old|tall|big|high|deep|long|heavy|fast|large|far away) (is|are|was) (the )?[a-z]|when (was|did|were|is|does) [a-z]|what (year|century) (was|did|were) |` +
		`where (was|were|did|do|does) [a-z]|(birth date|birthday|capital|population) of [a-z])`)
})

func readFact(s sentence, words []word) (any, bool) {
	l := lexicon()
	if len(words) != len(s.words) || !factShape().MatchString(joined(words)) {
		return nil, false
	}
	for i, w := range words {
		if w.quoted || l.tables["own"][w.folded] != "" || l.isTime(w) && l.anchors[w.folded] || plainPath().MatchString(s.raw(words[i:i+1])) {
			return nil, false
		}
	}
	return s.raw(words), true
}
