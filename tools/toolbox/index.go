package toolbox

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"

	"marvin/tools"
	"marvin/tools/internal/hidden"
	"marvin/tools/internal/params"
)

// Hit is a tool found by a search. Scores are comparable only within one search.
type Hit struct {
	Tool    tools.Tool
	Score   float64
	Covered float64 // share of the query that matches the tool, from 0 to 1
}

// Offer returns the tools for the first request of a conversation. If the mode has at most
// [OfferLimit] tools besides find_tools, Offer returns all the mode's tools except find_tools.
// Otherwise, it returns the core tools, including find_tools. It adds the Planning tools if the
// user wants a plan, and the Chat tools if the mode is not a coding mode. If the tools do not fit
// into a small context window, Offer omits some tools and includes find_tools. If the mode lacks
// find_tools, Offer omits none. window is the size of the context window in tokens, or 0 if the
// size is unknown.
//
// The tools are in registry order, because providers cache requests by prefix. Conversations share
// the slice to save memory, so the caller must not change the slice.
func (r *Registry) Offer(mode tools.Mode, window int) []tools.Tool {
	r = r.offerRegistry(mode)
	choose := func() []tools.Tool { return r.fitting(r.offer(mode), mode, window) }
	if mode.Only != nil {
		return choose()
	}
	key := offerKey{mode.Coding, mode.Person, mode.ReadOnly, mode.Agent, mode.Planning, mode.Rules, window}
	made, _ := r.offers.LoadOrStore(key, sync.OnceValue(choose))
	return made.(func() []tools.Tool)()
}

// offerKey contains the values that determine a cached offer. Offers for a non-nil mode.Only are
// not cached.
type offerKey struct {
	coding, person, readOnly, agent, planning bool
	rules                                     *tools.Permissions
	window                                    int
}

func (r *Registry) offer(mode tools.Mode) []tools.Tool {
	all := r.present(mode)
	few := slices.DeleteFunc(slices.Clone(all), func(t tools.Tool) bool { return t.Name == findName })
	if len(few) <= OfferLimit {
		return few
	}
	return slices.DeleteFunc(all, func(t tools.Tool) bool { return !t.Core && !t.Planning && (mode.Coding || !t.Chat) })
}

// Hidden returns how many of a mode's tools are shown only by find_tools.
func (r *Registry) Hidden(mode tools.Mode, window int) int {
	return max(0, r.Count(mode)-len(r.Offer(mode, window)))
}

// OfferedSince returns the offered tools that a conversation does not have yet. In a running
// conversation with find_tools, OfferedSince omits the tools of sources, because find_tools finds
// these tools. The caller must not change the returned slice.
func (r *Registry) OfferedSince(mode tools.Mode, window int, began bool, has func(name string) bool) []tools.Tool {
	r = r.offerRegistry(mode)
	later := began && has(findName)
	known := func(tool tools.Tool) bool {
		return has(tool.Name) || later && r.byName[tool.Name] >= len(r.OwnTools())
	}
	offered := r.Offer(mode, window)
	if !slices.ContainsFunc(offered, known) {
		return offered
	}
	return slices.DeleteFunc(slices.Clone(offered), known)
}

// HiddenSources lists the sources whose tools the mode offers, each with the number of tools. The
// model finds those tools with find_tools.
func (r *Registry) HiddenSources(mode tools.Mode) (named []string) {
	if r.sources == nil {
		return nil
	}
	if mode.Only != nil {
		r = r.loadAll()
	}
	counts := map[string]int{}
	for _, tool := range r.tools[r.own:] {
		if mode.Offers(tool) {
			counts[tool.Section]++
		}
	}
	for _, source := range r.later {
		counts[source.Name] += source.count(mode)
	}
	for _, source := range r.sources {
		if count := counts[source]; count > 0 {
			named = append(named, fmt.Sprintf("%s (%d)", params.Clip(hidden.Visible(source), longestName), count))
		}
	}
	return named
}

// Search returns at most n tools of a mode. The best match for the query comes first.
func (r *Registry) Search(query string, mode tools.Mode, n int) []Hit {
	return r.loadAll().ranked(queryWords(query), mode, 0, n)
}

// SearchNamed is like [Registry.Search], but loads only sources that have a tool whose name matches
// the query. If the tool names of a source are unknown, SearchNamed loads all sources.
func SearchNamed(r *Registry, query string, mode tools.Mode, n int) []Hit {
	return openRequested(r, query).ranked(queryWords(query), mode, 0, n)
}

// ranked returns up to n tools that match the query, best first. It ignores r.tools[:from].
func (r *Registry) ranked(query []askedWord, mode tools.Mode, from, n int) []Hit {
	r.indexing.Do(func() { r.index = newIndex(r.tools) })
	var hits []Hit
	for i, found := range r.index.search(query) {
		if i < from {
			continue
		}
		if tool := r.tools[i]; found.score > 0 && tool.Name != findName && mode.Offers(tool) {
			hits = append(hits, Hit{tool, found.score, found.covered})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(n, len(hits))]
}

// [Registry.FindFitting] requires these minimum values of Hit.Covered. A query is about "other
// things" if it contains a word of finding.others, such as "pizza".
const (
	fitting      = 0.26 // for at least one tool
	fittingOther = 0.5  // replaces fitting if the query is about "other things"
	related      = 0.16 // for every tool
)

// FindFitting returns at most n tools. It omits tools that cannot do what the query asks for.
func (r *Registry) FindFitting(query string, mode tools.Mode, n int) []Hit {
	r = r.loadAll()
	hits, least := r.Search(query, mode, n), fitting
	if slices.ContainsFunc(queryWords(query), func(a askedWord) bool { return a.mass == othersMass }) {
		least = fittingOther
	}
	fits := func(h Hit) bool { return h.Covered >= least }
	if !slices.ContainsFunc(hits, fits) && len(r.tools) > r.own && r.own > 0 {
		// Search only the external tools, which can do things that Marvin's own tools cannot do.
		hits, least = r.ranked(unbiasedWords(query), mode, r.own, n), fitting
	}
	if !slices.ContainsFunc(hits, fits) {
		return nil
	}
	return slices.DeleteFunc(hits, func(h Hit) bool { return h.Covered < related })
}

// index is an inverted index with BM25 scores. A match in a tool's name counts more than a match in
// its description.
type index struct {
	postings map[string][]posting
	lengths  []float64 // weighted number of words per tool
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
	inFinding   = 2.0 // weight of the words in finding.txt
	inSample    = 0.5 // a slot of an example contains only one of many possible values
)

func newIndex(tools []tools.Tool) *index {
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
		for _, name := range tool.Parameters() {
			count(name, inParameter)
		}
		for _, example := range tool.Examples {
			literal, samples := splitExample(example)
			count(literal, inExample)
			count(samples, inSample)
		}
		count(further().words[tool.Name], inFinding)
		for word, weight := range weights {
			x.postings[word] = append(x.postings[word], posting{i, weight})
		}
		x.average += x.lengths[i] / float64(len(tools))
	}
	return x
}

// saturation and lengthBias are the constants k1 and b of BM25. lengthBias is low because a long
// description does not make a tool less suitable.
const (
	saturation  = 1.2
	lengthBias  = 0.3
	unknownMass = 0.6 // an unknown word is important, because it usually names a person, a place or a thing
)

// resemblance is the degree to which a tool matches a query.
type resemblance struct{ score, covered float64 }

func (x *index) search(query []askedWord) []resemblance {
	results := make([]resemblance, len(x.lengths))
	all := 0.0
	for _, asked := range query {
		postings, confidence := x.lookup(asked.word)
		n, df := float64(len(x.lengths)), float64(len(postings))
		rarity := math.Log(1 + (n-df+0.5)/(df+0.5))
		mass := asked.mass
		switch {
		case df > 0:
			mass *= 0.4 + 0.6*rarity/math.Log(1+n)
		case mass != othersMass:
			mass *= unknownMass
		}
		all += mass
		for _, p := range postings {
			length := 1 - lengthBias + lengthBias*x.lengths[p.tool]/x.average
			results[p.tool].score += confidence * rarity * p.weight * (saturation + 1) / (p.weight + saturation*length)
			results[p.tool].covered += mass * confidence * min(1, p.weight/inExample) // a match in a description counts less, because a description also contains incidental words
		}
	}
	for i := range results {
		results[i].covered /= max(all, 0.01)
	}
	return results
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
		if !strings.HasPrefix(value, "=") { // "=" marks a value that the example only implies
			inside.WriteString(value + " ")
		}
		outside.WriteByte(' ')
	}
}

// lookup returns the postings of a word. For an unknown word, it uses the longest known prefix or
// suffix, for example a part of a German compound. If no prefix or suffix is known, lookup uses a
// known word that differs in one letter. The confidence is 1 for a known word, and lower otherwise.
func (x *index) lookup(word string) (list []posting, confidence float64) {
	if list = x.postings[word]; list != nil {
		return list, 1
	}
	if len(word) < 6 {
		return nil, 0
	}
	best := ""
	for known := range x.postings {
		if len(known) >= 5 && len(word) >= 8 && (strings.HasSuffix(word, known) || strings.HasPrefix(word, known)) && (len(known) > len(best) || len(known) == len(best) && known < best) {
			best = known
		}
	}
	if best != "" {
		return x.postings[best], 0.8
	}
	for known := range x.postings {
		if len(known) >= 5 && known[0] == word[0] && levenshtein.ComputeDistance(known, word) == 1 && (best == "" || known < best) {
			best = known
		}
	}
	return x.postings[best], 0.7
}
