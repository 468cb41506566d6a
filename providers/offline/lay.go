package offline

import (
	"slices"
	"strings"
)

// Most of these constants are costs of unmatched words and values. missedWord and unreadWord are
// multiplied by the word's weight.
const (
	missedWord    = 0.6 // an unmatched word in the example
	missedAnchor  = 0.3
	unreadWord    = 0.8 // an unmatched word in the request
	missedOption  = 0.2
	missedValue   = 0.4 // a required value without a match; fillFromSchema can add the value
	impossible    = -1e9
	contentWeight = 0.4 // a word with at least this weight is important
)

// bestReading finds the best match of the template with a request. Words match words with the same
// stem, and slots match suitable text. The matches keep their order, but parts of the template and
// of the request can remain unmatched.
func (t template) bestReading(over asked) reading {
	tokens := over.tokens
	l := layout{template: t, asked: over}
	l.steps = make([][]step, len(t.items)+1)
	for i := range l.steps {
		l.steps[i] = make([]step, len(tokens)+1)
	}
	for i := len(t.items); i >= 0; i-- {
		for j := len(tokens); j >= 0; j-- {
			l.steps[i][j] = l.choose(i, j)
		}
	}
	return l.reading()
}

// layout is the table for dynamic programming: steps[i][j] is the first step of the best match of
// items[i:] with tokens[j:].
type layout struct {
	asked
	template template
	steps    [][]step
}

// asked is a request split into tokens. A cache maps each form and token range to a value.
type asked struct {
	tokens []token
	formed map[formAt]formed
}

type formAt struct {
	form       string
	start, end int
}

type formed struct {
	value any
	ok    bool
}

func ask(request string) asked { return asked{split(request), map[formAt]formed{}} }

// take applies [slot.take] to a.tokens[j:j+n], and caches the results for checked slots.
func (a asked) take(s slot, j, n int) (value any, cost float64, ok bool) {
	run := a.tokens[j : j+n]
	if s.kind != checked || run[0].mark() {
		return s.take(run)
	}
	at := formAt{s.form, j, j + n}
	was, known := a.formed[at]
	if !known {
		was.value, _, was.ok = s.take(run)
		a.formed[at] = was
	}
	return was.value, s.textCost(run), was.ok
}

type step struct {
	value  float64
	items  int // the number of items in this step: 0 or 1
	tokens int // the number of tokens in this step
	filled any // the value of a slot
}

func (l *layout) choose(i, j int) step {
	items, tokens := l.template.items, l.tokens
	if i == len(items) && j == len(tokens) {
		return step{}
	}
	best := step{value: impossible}
	try := func(gain float64, di, dj int, filled any) {
		if value := gain + l.steps[i+di][j+dj].value; value > best.value {
			best = step{value, di, dj, filled}
		}
	}
	if i < len(items) {
		item := items[i]
		if item.word != "" {
			if j < len(tokens) && !tokens[j].quoted && sameStem(item.word, tokens[j].folded) {
				try(item.weight, 1, 1, nil)
			}
			try(-l.missed(i), 1, 0, nil)
		} else if item.slot.kind == implied {
			try(0, 1, 0, item.slot.says)
		} else {
			for n := 1; j+n <= len(tokens) && n <= item.slot.longest(); n++ {
				if value, cost, ok := l.take(item.slot, j, n); ok {
					try(item.weight-l.dictationCost(j, cost), 1, n, value)
				}
			}
			if l.template.optional(item.slot.name) {
				try(-missedOption, 1, 0, nil)
			} else {
				try(-missedValue, 1, 0, nil)
			}
		}
	}
	if j < len(tokens) {
		try(-unreadWord*l.template.unread(tokens[j]), 0, 1, nil)
	}
	return best
}

// missed returns the cost of leaving the word of item i unmatched. A function word before a slot
// ("search for …") costs more, because the function word shows where the value begins.
func (l *layout) missed(i int) float64 {
	items := l.template.items
	if items[i].weight == littleWeight && i+1 < len(items) && items[i+1].word == "" {
		return missedAnchor
	}
	return missedWord * items[i].weight
}

// dictationCost returns 0 for a value after a colon ("note this: …"), so that the value can extend
// to the end of the request.
func (l *layout) dictationCost(j int, cost float64) float64 {
	if j > 0 && l.tokens[j-1].text == ":" {
		return 0
	}
	return cost
}

// unread computes the weight of an unmatched token.
func (t *template) unread(token token) float64 {
	switch {
	case token.mark():
		return 0.02
	case token.little():
		return 0.04
	case slices.ContainsFunc(t.name, func(word string) bool { return sameStem(word, token.folded) }):
		return 0.1 // the word is part of the tool's name
	case token.quoted || looksLikePath(token.text) || strings.ContainsAny(token.text, "0123456789*"):
		return 1.2 // paths, numbers and quoted words carry more meaning than other words
	}
	return 1
}

// reading returns the best match.
func (l *layout) reading() reading {
	t := l.template
	r := reading{template: t, tool: t.tool, shape: t.shape, values: map[string]any{}, value: l.steps[0][0].value}
	for i, j := 0, 0; i < len(t.items) || j < len(l.tokens); {
		step := l.steps[i][j]
		switch {
		case step.items == 0:
			r.unread = append(r.unread, l.tokens[j])
		case t.items[i].word == "" && step.filled != nil:
			r.fill(t.items[i].slot, step.filled)
		case t.items[i].word != "" && step.tokens > 0 && t.items[i].weight >= contentWeight:
			r.said++
		case t.items[i].word != "" && step.tokens == 0 && t.items[i].weight >= contentWeight:
			r.unsaid++
		}
		i, j = i+step.items, j+step.tokens
	}
	r.complete()
	return r
}

func (r *reading) fill(s slot, value any) {
	if s.known {
		r.values[s.name] = value
	}
}

func (r *reading) has(name string) bool {
	return holds(r.values, name)
}

// drop removes the used tokens from r.unread, and adds the cost of each removed token to r.value.
func (r *reading) drop(used ...token) {
	r.unread = slices.DeleteFunc(r.unread, func(t token) bool {
		for _, u := range used {
			if u.start == t.start {
				r.value += unreadWord * r.template.unread(t)
				return true
			}
		}
		return false
	})
}
