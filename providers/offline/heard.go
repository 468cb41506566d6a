package offline

// heard says of the words of a grammar whether a sentence has them, each looked for once.
// Most of the 2,000 phrases need a word that was not said, which is found out sooner than
// that they do not fit.
type heard struct {
	words []word
	known []likeness // by the number of the word in the grammar
}

// likeness is how a word was said.
type likeness byte

const (
	unknown   likeness = iota // it was not looked for yet
	unsaid                    // it was not said
	misspoken                 // only with a letter that is wrong
	asSaid
)

func hear(s sentence, g *grammar) heard {
	return heard{words: s.words, known: make([]likeness, len(g.words))}
}

// may reports whether all that nodes need was said. Exact leaves no word misspelt.
func (h heard) may(nodes []node, exact bool) bool {
	for i := range nodes {
		n := &nodes[i]
		if n.word != "" && !h.says(n, exact) || len(n.alternatives) > 0 && !h.mayOne(n.alternatives, exact) {
			return false
		}
	}
	return true
}

func (h heard) mayOne(alternatives [][]node, exact bool) bool {
	if len(alternatives[len(alternatives)-1]) == 0 {
		return true // all of it may be left out
	}
	for _, one := range alternatives {
		if h.may(one, exact) {
			return true
		}
	}
	return false
}

func (h heard) says(n *node, exact bool) bool {
	like := h.known[n.number]
	if like == unknown {
		like = unsaid
		for i := range h.words {
			like = max(like, h.words[i].like(n.word))
		}
		h.known[n.number] = like
	}
	return like == asSaid || like == misspoken && !exact
}

// like compares a word with one of a phrase.
func (w *word) like(want string) likeness {
	switch {
	case w.quoted:
		return unsaid
	case w.is(want):
		return asSaid
	case lexicon().misspelt(w.folded, want):
		return misspoken
	}
	return unsaid
}

// is says that a word is that of a phrase, with the dots of German or with "ae", which is longer.
func (w *word) is(want string) bool {
	return w.folded == want || len(w.folded) > len(want) && lexicon().umlaut(w.folded) == want
}
