package offline

import (
	"slices"
	"strings"
)

// Most phrases are imperatives or direct questions, so this file rewrites other requests in these
// forms: "würdest du mich um 7 wecken" becomes "weck mich um 7", and "I wonder whether it is open"
// becomes "is it open".

// otherwise generates sentence variants in which the verb has another position or form. Embedded
// questions are rewritten only if afterIntro is true.
func (s sentence) otherwise(afterIntro bool) []sentence {
	var list []sentence
	add := func(words []word, request string) {
		list = append(list, sentence{request: request, words: words})
	}
	s.englishOrders(add)
	s.germanOrders(add)
	s.frenchOrders(add)
	if afterIntro {
		s.directQuestions(add)
	}
	return list
}

// withText returns a word that has the given text and the position of w.
func (w word) withText(text string) word {
	return word{folded: folded(text), start: w.start, end: w.end}
}

// englishOrders turns "waking me" into "wake me", and "be reminded" into "remind me".
func (s sentence) englishOrders(add func([]word, string)) {
	gerunds, passives := lexicon().tables["gerunds"], lexicon().tables["passives"]
	words := s.words
	if len(words) > 1 && (words[0].folded == "to" || words[0].folded == "be" || words[0].folded == "get") {
		if order, ok := passives[words[1].folded]; ok && words[0].folded != "to" {
			add(append([]word{words[1].withText(order), words[1].withText("me")}, words[2:]...), s.request)
		}
		words = words[1:]
	}
	if order, ok := gerunds[words[0].folded]; ok && !words[0].quoted {
		add(append([]word{words[0].withText(order)}, words[1:]...), s.request)
	}
}

// separable contains German verb prefixes that move to the end of an imperative sentence.
var separable = []string{"", "ein", "auf", "an", "aus", "vor", "hinzu", "ab", "um", "nach", "zu", "durch", "raus", "rein"}

// germanOrder splits an infinitive such as "eintragen" into the imperative "trag" and the prefix
// "ein".
func germanOrder(w word) (order, behind string, ok bool) {
	if w.quoted {
		return "", "", false
	}
	for _, prefix := range separable {
		for _, joint := range []string{"", "zu"} {
			rest, cut := strings.CutPrefix(w.folded, prefix+joint)
			if !cut || prefix == "" && joint != "" {
				continue
			}
			if order, ok = lexicon().tables["formal"][rest]; ok {
				return order, prefix, true
			}
		}
	}
	return "", "", false
}

// germanOrders adds variants that begin with an imperative. For example, "mich um 7 wecken" becomes
// "weck mich um 7".
func (s sentence) germanOrders(add func([]word, string)) {
	n := len(s.words)
	if n > 2 && s.words[n-1].folded == "werden" && s.words[n-2].folded == "erinnert" {
		add(append([]word{s.words[n-2].withText("erinnere"), s.words[n-2].withText("mich")}, s.words[:n-2]...), s.request[:s.words[n-2].start])
	}
	if order, ok := lexicon().tables["asked orders"][s.words[0].folded]; ok && n > 2 && s.words[1].folded == "du" {
		add(append([]word{s.words[0].withText(order)}, s.words[2:]...), s.request)
	}
	for i := n - 1; i > 0; i-- {
		order, behind, ok := germanOrder(s.words[i])
		if !ok {
			continue
		}
		before, request := slices.Clone(s.words[:i]), s.request
		if before[i-1].folded == "zu" && behind == "" {
			before = before[:i-1]
		}
		if i == n-1 && len(before) > 0 {
			request = s.request[:s.words[i].start] // dictated text ends before the infinitive
		}
		words := append([]word{s.words[i].withText(order)}, before...)
		if behind != "" {
			words = append(words, s.words[i].withText(behind))
		}
		add(append(words, s.words[i+1:]...), request)
	}
}

// frenchOrders turns an infinitive or a wish into an imperative.
func (s sentence) frenchOrders(add func([]word, string)) {
	words := s.words
	for len(words) > 1 {
		switch words[0].folded {
		case "de", "d'", "que", "qu'", "tu", "vous", "a", "me", "m'":
		default:
			goto verb
		}
		words = words[1:]
	}
verb:
	order, ok := lexicon().tables["french orders"][words[0].folded]
	if !ok || words[0].quoted || len(words) < 2 || len(words) == len(s.words) && folded(order) == words[0].folded {
		return
	}
	front := words[0].withText(order)
	add(append([]word{front, words[0].withText("moi")}, words[1:]...), s.request) // the removed words can include "me", as in "peux-tu me"
	add(append([]word{front}, words[1:]...), s.request)
}

// movable contains the verbs that follow their subject in an embedded question.
var movable = map[string]bool{"is": true, "are": true, "was": true, "were": true, "will": true, "can": true, "am": true, "has": true, "have": true, "do": true, "does": true, "did": true, "should": true, "would": true}

// directQuestions passes direct forms of an embedded question to the callback. For example, "what
// 20 miles are in km" becomes "what are 20 miles in km".
func (s sentence) directQuestions(add func([]word, string)) {
	words, table := s.words, lexicon().tables["embedding"]
	if len(words) < 3 || words[0].quoted {
		return
	}
	kind, ok := table[words[0].folded]
	if !ok {
		return
	}
	from := 1 // a question word stays at the beginning
	if kind == "whether" {
		words, from = words[1:], 0
		add(words, s.request)
	}
	move := func(verb, to int) {
		moved := slices.Delete(slices.Clone(words), verb, verb+1)
		add(slices.Insert(moved, to, words[verb]), s.request)
	}
	for verb := from + 1; verb < min(len(words), from+7); verb++ {
		if movable[words[verb].folded] && (from == 0 || verb > 2 || words[0].folded == "where" || verb == len(words)-1) {
			for to := from; to < min(verb, from+3); to++ {
				move(verb, to)
			}
			break
		}
	}
	if last := len(words) - 1; !movable[words[last].folded] && lexicon().tables["last verbs"][words[last].folded] != "" {
		for to := from; to < min(last, from+3); to++ {
			move(last, to)
		}
	}
}

// isNoCommand reports whether s is a question such as "did you set the alarm for 7" or a statement
// such as "my alarm rings at 7".
func (s sentence) isNoCommand() bool {
	l, bare := lexicon(), s.polite()[0].words
	switch bare[0].folded {
	case "i", "ich", "je", "j'", "we", "wir", "nous", "on", "he", "she", "it", "they", "er", "sie", "es", "il", "elle", "der", "die", "das", "le", "la", "l'", "the", "my", "mein", "meine", "mon", "ma", "our", "his", "her", "as", "ai":
		return true
	}
	return slices.ContainsFunc(s.words, func(w word) bool {
		if w.quoted {
			return false
		}
		switch w.folded {
		case "not", "never", "nicht", "nie", "kein", "keine", "keinen", "pas", "jamais", "instead", "stattdessen":
			return true
		}
		return l.tables["telling"][w.folded] != ""
	})
}
