package offline

// match is a phrase that matches a whole sentence. Apart from particles such as "please", each word
// belongs to the phrase or to a value.
type match struct {
	phrase *phrase
	values map[string]any
	free   []string // the names of the free-text values
	weight float64  // sum of the weights of the words
}

const (
	wordCounts  = 1.0
	typoCounts  = 0.8
	valueCounts = 0.5 // the weight of each word of a strict value
	freeCounts  = 0.1
	// maxSteps limits the steps for one phrase. Without the limit, a request of 200 words and a
	// phrase with three free values would take millions of steps.
	maxSteps = 20_000
)

type matcher struct {
	sentence sentence
	exact    bool // misspelled words do not match
	steps    int
	values   map[string]any
	free     []string
	weight   float64
}

// matchSentence matches p with a sentence. If exact is true, misspelled words do not match.
func (p *phrase) matchSentence(s sentence, exact bool) (match, bool) {
	m := matcher{sentence: s, exact: exact, values: map[string]any{}}
	if !m.matchNodes(p.parsed(), 0, func(at int) bool { return m.skip(at) == len(s.words) }) {
		return match{}, false
	}
	for name, value := range p.fixed {
		if _, said := m.values[name]; !said {
			m.values[name] = value
		}
	}
	return match{p, m.values, m.free, m.weight}, true
}

// skip goes past particles, such as ":" and "please", and returns the next position.
func (m *matcher) skip(at int) int {
	for at < len(m.sentence.words) && m.particle(at) {
		at++
	}
	return at
}

func (m *matcher) particle(at int) bool {
	return !m.sentence.words[at].quoted && lexicon().tables["particles"][m.sentence.words[at].folded] != ""
}

// matchNodes matches the words from the given position against the nodes. It passes the end of each
// match to the callback until the callback returns true.
func (m *matcher) matchNodes(nodes []node, at int, then func(int) bool) bool {
	if m.steps++; m.steps > maxSteps {
		return false
	}
	if len(nodes) == 0 {
		return then(at)
	}
	next := func(at int) bool { return m.matchNodes(nodes[1:], at, then) }
	switch n := nodes[0]; {
	case n.slot != nil:
		return m.fill(n.slot, at, next)
	case n.word != "":
		return m.say(n.word, at, next)
	default:
		for _, alternative := range n.alternatives {
			if m.matchNodes(alternative, at, next) {
				return true
			}
		}
		return false
	}
}

func (m *matcher) say(want string, at int, next func(int) bool) bool {
	for at < len(m.sentence.words) && m.sentence.words[at].folded != want && m.particle(at) {
		at++
	}
	if at >= len(m.sentence.words) {
		return false
	}
	weight := m.weight
	switch like := m.sentence.words[at].compare(want); {
	case like == asSaid:
		m.weight += wordCounts
	case like == misspoken && !m.exact:
		m.weight += typoCounts
	default:
		return false
	}
	if next(at + 1) {
		return true
	}
	m.weight = weight
	return false
}

// fill looks for the value of a slot among ranges of words. Shorter ranges come first for free
// text, and longer ranges for other values.
func (m *matcher) fill(h *hole, at int, next func(int) bool) bool {
	at = m.skip(at)
	k := kinds()[h.kind]
	longest := min(k.longest, len(m.sentence.words)-at)
	for n := range longest {
		length := longest - n
		if k.free {
			length = n + 1
		}
		words := m.sentence.words[at : at+length]
		if !m.sentence.adjacent(words) {
			continue
		}
		value, ok := k.read(m.sentence, words)
		if ok && m.take(h.name, value, k.free && !(length == 1 && m.sentence.words[at].quoted), length, at, next) {
			return true
		}
	}
	return false
}

// take assigns a value to a slot, and calls next for the rest of the phrase. If next returns false,
// the assignment is undone.
func (m *matcher) take(name string, value any, free bool, length, at int, next func(int) bool) bool {
	weight := m.weight
	m.values[name] = value
	counts := valueCounts
	if free {
		counts = freeCounts
		m.free = append(m.free, name)
	}
	m.weight += counts * float64(length)
	if next(at + length) {
		return true
	}
	delete(m.values, name)
	if free {
		m.free = m.free[:len(m.free)-1]
	}
	m.weight = weight
	return false
}
