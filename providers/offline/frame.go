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

// A frame matches requests in three languages, whatever the order of the words. Phrases alone
// cannot cover every way to introduce a question. Every word of a request must belong to the frame,
// be part of a value, or be a function word, because any other word could change the meaning.
type frame struct {
	tool   string
	core   [][][]string // groups that must each occur once
	with   [][]string   // optional phrases
	slots  []frameSlot
	fixed  map[string]string
	orders bool // the frame is for commands, so questions do not match it
}

// frameSlot is a slot of a frame, for one value or several adjacent values.
type frameSlot struct {
	holes  []hole
	after  [][]string // one of these phrases must precede the values; empty for no restriction
	needed bool
}

// frames returns the content of phrases/frames.txt, which is parsed on first use. A test ensures
// that the parsing succeeds.
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
		return fmt.Errorf("a line must begin with core, with, fixed, need or slot")
	}
	return nil
}

// wordLists splits the items of a list into words. An item "@name" inserts the list with that name.
// Longer items come first.
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

// lexiconPieces splits text into words, by the rules for requests. For example, "s'il" becomes the
// two words "s'" and "il".
func lexiconPieces(text string) (list []string) {
	for _, w := range newSentence(text).words {
		list = append(list, w.folded)
	}
	return list
}

// longestFrame is the maximum length, in words, of a request that is compared with the frames. A
// longer request usually asks for several things.
const longestFrame = 26

// findPoliteFrame is like findFrame, but first tries the sentence without its polite words.
func findPoliteFrame(s sentence, usable func(string) (Tool, bool)) (understood, bool) {
	bare := s.polite()[0]
	if u, ok := findFrame(bare, usable); ok || bare.equal(s) {
		return u, ok
	}
	return findFrame(s, usable)
}

// findFrame finds the frame that matches a sentence. If frames for two tools match equally well, it
// finds none.
func findFrame(s sentence, usable func(string) (Tool, bool)) (understood, bool) {
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
		one, ok := f.matchSentence(s, tool.Writes || f.orders)
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
