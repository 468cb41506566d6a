package offline

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"marvin/providers/offline/followup"
)

// reference is a phrase that refers to something in the conversation, such as "it", "the second
// one" or "the note".
type reference struct {
	position int // the argument for [followup.State.At], or 0 for [followup.State.It]
	kind     followup.Kind
}

// readRef reads a reference. A number on its own is not a reference.
func readRef(_ sentence, words []word) (any, bool) {
	l := lexicon()
	for len(words) > 1 && (words[0].isArticle() || l.tables["pointing"][words[0].folded] != "" || l.tables["counting"][words[0].folded] != "") {
		if l.tables["counting"][words[0].folded] != "" && len(words) == 2 {
			if n, err := strconv.Atoi(strings.TrimSuffix(words[1].folded, ".")); err == nil && n > 0 {
				return reference{position: n}, true
			}
		}
		words = words[1:]
	}
	if words[0].quoted || words[len(words)-1].quoted {
		return nil, false
	}
	var ref reference
	if position, ok := l.meaning("ordinals", words[:1]); ok && len(words) <= 2 {
		ref.position, _ = strconv.Atoi(position)
		words = words[1:]
	} else if _, ok := l.meaning("pronouns", words); ok {
		return ref, true
	}
	if len(words) == 0 {
		return ref, true
	}
	kind, ok := l.meaning("things", words)
	ref.kind = followup.Kind(strings.TrimPrefix(kind, "any"))
	return ref, ok && (ref.position != 0 || ref.kind != "")
}

// thingIn returns the thing that r refers to.
func (r reference) thingIn(state followup.State) (followup.Thing, bool) {
	if r.position == 0 {
		return state.It(r.kind)
	}
	return state.At(r.position, r.kind)
}

var bareHour = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:at |to |um |auf |a |)(\d{1,2})(?:[:.h](\d\d))?(?: ?uhr)?$`)
})

// readHour reads a time in the user's answer, where "10" means ten o'clock.
func readHour(s sentence, words []word) (any, bool) {
	found := bareHour().FindStringSubmatch(joined(words))
	if found == nil {
		return readWhen(s, words)
	}
	hour, err := strconv.Atoi(found[1])
	minutes := cmp.Or(found[2], "00")
	return strconv.Itoa(hour) + ":" + minutes, err == nil && hour < 24
}

// readAmount reads a duration in the user's answer, where "10" means ten minutes.
func readAmount(s sentence, words []word) (any, bool) {
	if value, ok := readSpan(s, words); ok {
		return value, true
	}
	if n, ok := readInteger(s, words); ok && n.(int) > 0 {
		return strconv.Itoa(n.(int)) + "m", true
	}
	return nil, false
}

// shift is a new setting: the time for an alarm, or the duration for a timer.
type shift struct{ hour, amount string }

// readShift reads a new setting. "10" means ten o'clock for an alarm and ten minutes for a timer.
func readShift(s sentence, words []word) (any, bool) {
	hour, isHour := readHour(s, words)
	amount, isAmount := readAmount(s, words)
	var to shift
	to.hour, _ = hour.(string)
	to.amount, _ = amount.(string)
	return to, isHour || isAmount
}

func (s shift) valueFor(kind followup.Kind) string {
	if kind == followup.Timer {
		return s.amount
	}
	return s.hour
}
