package tools

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Hit is a tool that a search found. Scores compare within one search only.
type Hit struct {
	Tool  Tool
	Score float64
}

// OfferLimit is how many tools are sent to a model in full. Beyond it, models
// choose worse and schemas eat the window of small ones.
const OfferLimit = 40

// Offer is what the first request of a conversation carries: every tool of the
// mode if they are few, else the core ones, in chat those that people ask for most,
// and find_tools; where a plan is wanted also what it is shown by. The order is that of
// the registry, because providers cache by prefix.
func (r *Registry) Offer(mode Mode) []Tool {
	all := r.For(mode)
	few := slices.DeleteFunc(slices.Clone(all), func(t Tool) bool { return t.Name == findName })
	if len(few) <= OfferLimit {
		return few
	}
	return slices.DeleteFunc(all, func(t Tool) bool { return !t.Core && !t.Planning && (mode.Coding || !t.Chat) })
}

// Search ranks the tools of a mode by their resemblance to a request in a
// person's words, best first, at most n.
func (r *Registry) Search(query string, mode Mode, n int) []Hit {
	r.indexing.Do(func() { r.index = newIndex(r.tools) })
	var hits []Hit
	for i, score := range r.index.scores(query) {
		if tool := r.tools[i]; score > 0 && tool.Name != findName && mode.refuses(tool) == "" {
			hits = append(hits, Hit{tool, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(n, len(hits))]
}

// index is an inverted index with BM25 scores. A word counts by where it stands:
// a tool's name says more about it than its description.
type index struct {
	postings map[string][]posting
	lengths  []float64 // weighted number of words of each tool
	average  float64
}

type posting struct {
	tool   int
	weight float64
}

const (
	inName      = 4.0
	inExample   = 2.0
	inParameter = 1.0
	inDoc       = 1.0
	inSample    = 0.5 // the value in a slot of an example is only one of many
)

func newIndex(tools []Tool) *index {
	x := &index{postings: map[string][]posting{}, lengths: make([]float64, len(tools))}
	for i, tool := range tools {
		weights := map[string]float64{}
		count := func(text string, weight float64) {
			for _, word := range words(text) {
				weights[word] += weight
				x.lengths[i] += weight
			}
		}
		count(tool.Name, inName)
		count(tool.Doc, inDoc)
		for _, name := range tool.fields() {
			count(name, inParameter)
		}
		for _, example := range tool.Examples {
			literal, samples := splitExample(example)
			count(literal, inExample)
			count(samples, inSample)
		}
		for word, weight := range weights {
			x.postings[word] = append(x.postings[word], posting{i, weight})
		}
		x.average += x.lengths[i] / float64(len(tools))
	}
	return x
}

// The usual constants of BM25; b is low because a long description does not make
// a tool less fitting.
const (
	saturation = 1.2
	lengthBias = 0.3
)

func (x *index) scores(query string) []float64 {
	scores := make([]float64, len(x.lengths))
	asked := words(query)
	slices.Sort(asked)
	for _, word := range slices.Compact(asked) {
		postings := x.postings[word]
		n, df := float64(len(x.lengths)), float64(len(postings))
		rarity := math.Log(1 + (n-df+0.5)/(df+0.5))
		for _, p := range postings {
			length := 1 - lengthBias + lengthBias*x.lengths[p.tool]/x.average
			scores[p.tool] += rarity * p.weight * (saturation + 1) / (p.weight + saturation*length)
		}
	}
	return scores
}

// splitExample separates the words of an example from the values in its slots.
func splitExample(example string) (literal, samples string) {
	var outside, inside strings.Builder
	for rest := example; ; {
		before, slot, ok := strings.Cut(rest, "{")
		outside.WriteString(before)
		if !ok {
			return outside.String(), inside.String()
		}
		slot, rest, _ = strings.Cut(slot, "}")
		value, _, _ := strings.Cut(slot, "|")
		if !strings.HasPrefix(value, "=") { // said by the words around it
			inside.WriteString(value + " ")
		}
		outside.WriteByte(' ')
	}
}

// fieldNames are the json names of an argument struct. Unlike the schema they
// cost next to nothing.
func fieldNames(structure reflect.Type) []string {
	if structure.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for i := range structure.NumField() {
		names = append(names, parameterName(structure.Field(i)))
	}
	return names
}

// words are the words of a text in the form in which they are compared: lower
// case, without endings, without the little words that say nothing.
func words(text string) []string {
	var found []string
	split := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), split) {
		if !littleWords[word] {
			found = append(found, stem(word))
		}
	}
	return found
}

var littleWords = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq("a an the this that these those it its i me my we our you your he she they is are was were be been do does did have has had can could will would should shall may might must to of in on at by for from with and or but not no so as if then than there here please s t") {
		set[word] = true
	}
	return set
}()

// stem takes the commonest English endings off a lower-case word, so that
// "changes", "changed" and "changing" are one. What is left need not be a word.
func stem(word string) string {
	switch n := len(word); {
	case n > 4 && strings.HasSuffix(word, "ies"):
		return word[:n-3] + "y"
	case n > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		return stem(word[:n-1])
	case n > 5 && strings.HasSuffix(word, "ing"):
		return single(word[:n-3])
	case n > 4 && strings.HasSuffix(word, "ed"):
		return single(word[:n-2])
	case n > 4 && strings.HasSuffix(word, "e"):
		return word[:n-1]
	}
	return word
}

// single undoes the doubling in "running" and the e that "changed" shares with "change".
func single(word string) string {
	n := len(word)
	if n > 3 && word[n-1] == word[n-2] && !strings.ContainsRune("lsz", rune(word[n-1])) {
		return word[:n-1]
	}
	return word
}
