package offline

import (
	"maps"
	"slices"
)

// The weights of a frame's words. Function words weigh least, so the other words decide which frame
// is best.
const (
	coreCounts   = 1.0
	slotCounts   = 0.8
	withCounts   = 0.5
	markedCounts = 0.3 // the weight of each word of free text
	glueCounts   = 0.1
)

// frameLayer matches a frame with a sentence. Each word of the sentence is used once. The match
// with the greatest total weight wins.
type frameLayer struct {
	frame    *frame
	sentence sentence
	exact    bool
	known    map[int]frameMatch // the results of layFrom so far, keyed by its arguments
}

// frameMatch is the result of layFrom: the best match from a position to the end.
type frameMatch struct {
	weight float64
	values map[string]any
	free   []string
	ok     bool
}

// matchSentence matches f with a sentence. If exact is true, misspelled words and question words do
// not match.
func (f *frame) matchSentence(s sentence, exact bool) (match, bool) {
	if f.orders && s.isNoCommand() {
		return match{}, false
	}
	l := frameLayer{frame: f, sentence: s, exact: exact, known: map[int]frameMatch{}}
	best := l.layFrom(0, 0)
	if !best.ok {
		return match{}, false
	}
	values := map[string]any{}
	maps.Copy(values, best.values)
	for name, value := range f.fixed {
		if _, said := values[name]; !said {
			values[name] = value
		}
	}
	return match{&phrase{tool: f.tool, locale: language(s.request)}, values, best.free, best.weight}, true
}

// layFrom returns the best match from a position to the end of the sentence. Each bit of taken
// marks a group or slot as used.
func (l *frameLayer) layFrom(at, taken int) frameMatch {
	if at == len(l.sentence.words) {
		return frameMatch{ok: l.complete(taken)}
	}
	key := at<<12 | taken
	if one, ok := l.known[key]; ok {
		return one
	}
	var best frameMatch
	try := func(weight float64, length, taken int, name string, values map[string]any) {
		rest := l.layFrom(at+length, taken)
		if !rest.ok || best.ok && rest.weight+weight <= best.weight {
			return
		}
		best = frameMatch{weight: rest.weight + weight, values: rest.values, free: rest.free, ok: true}
		if len(values) > 0 {
			best.values = maps.Clone(rest.values)
			if best.values == nil {
				best.values = map[string]any{}
			}
			maps.Copy(best.values, values)
		}
		if name != "" {
			best.free = append(slices.Clone(rest.free), name)
		}
	}
	l.words(at, taken, try)
	l.slots(at, taken, try)
	l.known[key] = best
	return best
}

// complete returns true if the match uses all required parts of the frame.
func (l *frameLayer) complete(taken int) bool {
	for i := range l.frame.core {
		if taken&(1<<i) == 0 {
			return false
		}
	}
	for i, slot := range l.frame.slots {
		if slot.needed && taken&(1<<(len(l.frame.core)+i)) == 0 {
			return false
		}
	}
	return true
}

type passing func(weight float64, length, taken int, name string, values map[string]any)

// words looks for frame words and grammatical function words at the given position, and passes each
// match to the callback.
func (l *frameLayer) words(at, taken int, try passing) {
	for i, group := range l.frame.core {
		if n := l.listed(group, at); n > 0 {
			try(coreCounts*float64(n), n, taken|1<<i, "", nil)
		}
	}
	if n := l.listed(l.frame.with, at); n > 0 {
		try(withCounts*float64(n), n, taken, "", nil)
	}
	w, tables := l.sentence.words[at], lexicon().tables
	if w.quoted {
		return
	}
	if tables["glue"][w.folded] != "" || tables["particles"][w.folded] != "" || tables["asking"][w.folded] != "" && !l.exact {
		try(glueCounts, 1, taken, "", nil)
	}
}

// listed returns the word count of the longest phrase that matches at the given position, or 0.
func (l *frameLayer) listed(list [][]string, at int) int {
	for _, phrase := range list { // longer phrases come first
		if at+len(phrase) <= len(l.sentence.words) && l.matchesAt(phrase, at) {
			return len(phrase)
		}
	}
	return 0
}

func (l *frameLayer) matchesAt(phrase []string, at int) bool {
	for i, want := range phrase {
		w := l.sentence.words[at+i]
		if w.quoted || !w.is(want) && (l.exact || !lexicon().misspelt(w.folded, want)) {
			return false
		}
	}
	return true
}

// slots looks for slot values at the given position, and passes each match to the callback.
func (l *frameLayer) slots(at, taken int, try passing) {
	for i, slot := range l.frame.slots {
		bit := 1 << (len(l.frame.core) + i)
		if taken&bit != 0 && slot.holes[0].name != "_" {
			continue
		}
		if len(slot.after) == 0 {
			l.fill(slot.holes, at, 0, 0, nil, taken|bit, try)
			continue
		}
		if n := l.listed(slot.after, at); n > 0 && at+n < len(l.sentence.words) {
			l.fill(slot.holes, at+n, n, withCounts*float64(n), nil, taken|bit, try)
		}
	}
}

// fill determines the values of adjacent holes. The first value begins at the given word index, and
// prefix is the number of words already matched.
func (l *frameLayer) fill(holes []hole, at, prefix int, weight float64, values map[string]any, taken int, try passing) {
	k := kinds()[holes[0].kind]
	for n := min(k.longest, len(l.sentence.words)-at); n > 0; n-- {
		words := l.sentence.words[at : at+n]
		if k.free && l.foreign(words) {
			continue
		}
		value, ok := k.read(l.sentence, words)
		if !ok {
			continue
		}
		all := map[string]any{}
		maps.Copy(all, values)
		name, counts := "", slotCounts
		if holes[0].name != "_" {
			all[holes[0].name] = value
		}
		if k.free {
			name, counts = holes[0].name, markedCounts
		}
		total := weight + counts*float64(n)
		if len(holes) > 1 {
			l.fill(holes[1:], at+n, prefix+n, total, all, taken, try)
			continue
		}
		try(total, prefix+n, taken, name, all)
	}
}

// foreign returns true if the words include core words of the frame, or begin or end with a
// function word. A value cannot contain such words.
func (l *frameLayer) foreign(words []word) bool {
	tables := lexicon().tables
	for i, w := range words {
		if w.quoted {
			continue
		}
		glue := tables["glue"][w.folded] != "" || tables["asking"][w.folded] != ""
		if glue && (i == 0 && !w.isArticle() || i == len(words)-1) {
			return true
		}
		for _, group := range l.frame.core {
			if slices.ContainsFunc(group, func(phrase []string) bool { return len(phrase) == 1 && phrase[0] == w.folded }) {
				return true
			}
		}
	}
	return false
}
