package offline

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed phrases/frames.txt
var framesText string

// frame understands a request by the words that it may be made of, in any order and in
// any of the three languages: what phrases cannot foresee are the ways of leading up to a
// question. Every word must belong to the frame, be a value, or be one of those that only
// hold sentences together ([glue] of the lexicon), so that a word which would mean
// something else keeps the frame from fitting.
type frame struct {
	tool   string
	core   [][][]string // groups that must each occur once
	with   [][]string   // optional phrases
	slots  []frameSlot
	fixed  map[string]string
	orders bool // it writes: words of questions do not belong to it
}

// frameSlot is where a frame takes a value: holes that stand together, behind one of some
// words, or anywhere.
type frameSlot struct {
	holes  []hole
	after  [][]string
	needed bool
}

// frames are those of phrases/frames.txt. A fault in it is one of this program: a test
// reads it.
var frames = sync.OnceValues(func() ([]*frame, error) {
	var list []*frame
	var current *frame
	groups := map[string]string{}
	for line := range strings.Lines(framesText) {
		line = strings.TrimRight(line, "\n")
		var err error
		switch name, rest, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case name == "" || name[0] == '#':
		case name[0] == '@':
			groups[name] = strings.TrimPrefix(rest, "= ")
		case line[0] != ' ':
			current = &frame{tool: name, orders: strings.Contains(rest, "orders"), fixed: map[string]string{}}
			list = append(list, current)
		default:
			err = current.add(name, rest, groups)
		}
		if err != nil {
			return nil, fmt.Errorf("frames: %q: %w", line, err)
		}
	}
	return list, nil
})

// add reads a line of a frame.
func (f *frame) add(name, rest string, groups map[string]string) error {
	switch name {
	case "core":
		f.core = append(f.core, wordLists(rest, groups))
	case "with":
		f.with = append(f.with, wordLists(rest, groups)...)
	case "fixed":
		for pair := range strings.SplitSeq(rest, ", ") {
			key, value, _ := strings.Cut(pair, "=")
			f.fixed[key] = value
		}
	case "need", "slot":
		pattern, after, _ := strings.Cut(rest, " after ")
		slot := frameSlot{needed: name == "need"}
		for piece := range strings.FieldsSeq(pattern) {
			parameter, kind, _ := strings.Cut(strings.Trim(piece, "{}"), ":")
			if kinds()[kind] == nil {
				return fmt.Errorf("no kind is called %q", kind)
			}
			slot.holes = append(slot.holes, hole{parameter, kind})
		}
		if after != "" {
			slot.after = wordLists(after, groups)
		}
		f.slots = append(f.slots, slot)
	default:
		return fmt.Errorf("a line begins with core, with, fixed, need or slot")
	}
	return nil
}

// wordLists are the words of a list, cut as a request is; @name stands for a list.
func wordLists(text string, groups map[string]string) (list [][]string) {
	for item := range strings.SplitSeq(text, ", ") {
		if group, ok := groups[strings.TrimSpace(item)]; ok {
			list = append(list, wordLists(group, groups)...)
			continue
		}
		if pieces := lexiconPieces(folded(item)); len(pieces) > 0 {
			list = append(list, pieces)
		}
	}
	slices.SortStableFunc(list, func(a, b []string) int { return len(b) - len(a) })
	return list
}

// lexiconPieces cuts words as a request is cut: "s'il" is two.
func lexiconPieces(text string) (list []string) {
	for _, w := range newSentence(text).words {
		list = append(list, w.folded)
	}
	return list
}

// longestFrame is what is read by frames, in words: a long request says more than one thing.
const longestFrame = 26

// framedPolitely finds the frame that a request fits without what only leads up to it, or
// with it.
func framedPolitely(s sentence, usable func(string) (Tool, bool)) (understood, bool) {
	bare := s.polite()[0]
	if u, ok := framed(bare, usable); ok || bare.same(s) {
		return u, ok
	}
	return framed(s, usable)
}

// framed finds the frame that a sentence fits. Two of different tools that fit equally well
// are none.
func framed(s sentence, usable func(string) (Tool, bool)) (understood, bool) {
	list, err := frames()
	if err != nil || len(s.words) == 0 || len(s.words) > longestFrame {
		return understood{}, false
	}
	var best match
	found, tie := false, false
	for _, f := range list {
		tool, ok := usable(f.tool)
		if !ok {
			continue
		}
		one, ok := f.over(s, tool.Writes || f.orders)
		switch {
		case !ok:
		case !found || one.weight > best.weight+0.01:
			best, found, tie = one, true, false
		case one.weight > best.weight-0.01 && one.phrase.tool != best.phrase.tool:
			tie = true
		}
	}
	if !found || tie {
		return understood{}, false
	}
	u := understood{match: best}
	if name, ok := strings.CutPrefix(best.phrase.tool, "!"); ok {
		u.say = name
	}
	return u, true
}
