package memory

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Budget is the maximum number of tokens for facts in a request.
const Budget = 500

// perToken is the minimum number of bytes per token in facts.
const perToken = 4

// Choose selects facts for a prompt within a budget of tokens. It prefers facts that share the most
// words with the prompt, then newer facts. It keeps the original order, so that the same facts
// always give the same request.
func Choose(facts []Fact, prompt string, budget int) []Fact {
	room, total := budget*perToken, 0
	for _, fact := range facts {
		total += cost(fact)
	}
	if total <= room {
		return facts
	}
	words := searchWords(prompt)
	scores, counts := make([]uint8, len(facts)), [maxSearchWords + 1]int{}
	var lower []byte
	for i := range facts {
		var hits int
		hits, lower = score(facts[i].Text, words, lower)
		scores[i] = uint8(hits) //nolint:gosec // at most maxSearchWords
		counts[hits]++
	}
	var at []int
	for hits := len(words); hits >= 0; hits-- {
		if counts[hits] == 0 {
			continue
		}
		same := make([]int, 0, counts[hits])
		for i, score := range scores {
			if int(score) == hits {
				same = append(same, i)
			}
		}
		if newer := func(a, b int) int { return cmp.Or(cmp.Compare(facts[a].Date, facts[b].Date), cmp.Compare(a, b)) }; !slices.IsSortedFunc(same, newer) {
			slices.SortFunc(same, newer)
		}
		for _, one := range slices.Backward(same) {
			if room -= cost(facts[one]); room < 0 {
				hits = -1
				break
			}
			at = append(at, one)
		}
	}
	slices.Sort(at)
	chosen := make([]Fact, len(at))
	for i, one := range at {
		chosen[i] = facts[one]
	}
	return chosen
}

// ForRequest returns the facts for a request. If all facts fit into the budget, it returns all
// facts. Otherwise, it returns the facts that the model already knows, so that each request begins
// like the previous request. If the model knows no facts, or knows a fact that no longer exists,
// ForRequest returns the result of [Choose].
func ForRequest(facts []Fact, known []string, prompt string, budget int) []Fact {
	chosen := Choose(facts, prompt, budget)
	if len(chosen) == len(facts) || len(known) == 0 {
		return chosen
	}
	there := make(map[string]bool, len(known))
	for _, line := range known {
		there[line] = true
	}
	kept := make([]Fact, 0, len(known))
	for _, fact := range facts {
		if there[fact.ForModel()] {
			kept = append(kept, fact)
		}
	}
	if len(kept) < len(known) {
		return chosen
	}
	return kept
}

// ForModel returns the fact and its date in the form that a model reads.
func (f Fact) ForModel() string {
	if f.Date == "" {
		return f.Text
	}
	return f.Text + " (" + f.Date + ")"
}

// cost returns the size of a fact in bytes, including the bullet, date and line break.
func cost(fact Fact) int { return len(fact.Text) + len("-  (2026-11-28)\n") }

// maxSearchWords is the maximum number of words that [searchWords] returns.
const maxSearchWords = 40

// commonWords contains words that say nothing about the subject of a prompt.
var commonWords = wordSet("the and for that this with what when where which who how why are was were has have had you your can could should would will does did not but about from into please tell give show make know is it my me der die das und ist mein meine was wie wer wo les des est que qui mon une dans pour remember forget recall fact facts")

// searchWords returns the words that describe the subject of text, each once, in lower case.
func searchWords(text string) (words []string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) >= 3 && !commonWords[word] && !slices.Contains(words, word) {
			words = append(words, word)
		}
		if len(words) == maxSearchWords {
			break
		}
	}
	return words
}

// score returns the number of given words that occur in a text. A plural matches its singular. The
// second result is a buffer, which the caller can pass to the next call.
func score(text string, words []string, room []byte) (hits int, used []byte) {
	if len(words) == 0 {
		return 0, room
	}
	room = appendLower(room[:0], text)
	for _, word := range words {
		if len(word) > 4 {
			word = strings.TrimSuffix(word, "s")
		}
		if bytes.Contains(room, []byte(word)) {
			hits++
		}
	}
	return hits, room
}

func appendLower(to []byte, text string) []byte {
	for i := range len(text) {
		char := text[i]
		if char >= utf8.RuneSelf {
			return append(to[:0], strings.ToLower(text)...)
		}
		if 'A' <= char && char <= 'Z' {
			char += 'a' - 'A'
		}
		to = append(to, char)
	}
	return to
}

// Search returns at most the given number of facts that contain words from a query, the best first.
// If the query has no words to search for, all facts match.
func Search(facts []Fact, query string, limit int) []Fact {
	words := searchWords(query)
	type ranked struct {
		fact  Fact
		score int
	}
	var found []ranked
	var lower []byte
	for _, fact := range facts {
		var hits int
		if hits, lower = score(fact.Text, words, lower); hits > 0 || len(words) == 0 {
			found = append(found, ranked{fact, hits})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.fact.Date, a.fact.Date))
	})
	found = found[:min(len(found), limit)]
	list := make([]Fact, len(found))
	for i, one := range found {
		list[i] = one.fact
	}
	return list
}

// FindFacts returns the facts whose ID or text equals the query. If there are no such facts, it
// returns the facts that contain every meaningful word of the query.
func FindFacts(facts []Fact, query string) (found []Fact) {
	query = strings.TrimSpace(query)
	for _, fact := range facts {
		if strings.EqualFold(fact.ID, query) || strings.EqualFold(withoutPunctuation(fact.Text), withoutPunctuation(query)) {
			found = append(found, fact)
		}
	}
	words := normalWords(query)
	words = slices.DeleteFunc(words, func(word string) bool {
		return commonWords[word] || word == "user" || word == "name" || word == "called"
	})
	if len(found) > 0 || len(words) == 0 {
		return found
	}
	for _, fact := range facts {
		has := normalWords(fact.Text)
		if !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(has, word) }) {
			found = append(found, fact)
		}
	}
	return found
}
