package adapt

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The code in this file handles a server's refusal of the maximum answer length.

// limits contains the names of the fields that set the maximum length of an answer.
var limits = []string{"max_tokens", "max_completion_tokens", "max_output_tokens"}

// otherLimits contains names of the maximum answer length that occur only in error messages.
var otherLimits = []string{"max_new_tokens", "maxoutputtokens", "num_predict", "max tokens", "completion tokens", "output tokens"}

// leastAnswer and spare are numbers of tokens: the smallest answer limit that is guessed from a
// refusal, and the part of the context window that is left unused.
const leastAnswer, spare = 256, 64

// answerLimit handles a refusal that concerns the maximum answer length. It records another field
// name or a lower limit in f.
func (f *form) answerLimit(body map[string]json.RawMessage, message string) bool {
	named := slices.ContainsFunc(slices.Concat(limits, otherLimits), func(words string) bool { return strings.Contains(message, words) })
	if !named && !strings.Contains(message, "maximum") {
		return false
	}
	for _, name := range limits {
		var sent int
		if json.Unmarshal(body[name], &sent) != nil {
			continue
		}
		switch {
		case name == "max_tokens" && mentions(message, "max_completion_tokens"):
			return f.take(newLimit)
		case name == "max_completion_tokens" && mentions(message, "max_tokens"):
			return f.take(oldLimit)
		}
		most := mostOf(message, sent)
		// A maximum below leastAnswer is ignored if the message names no limit field, because such
		// a maximum could apply to the number of tools.
		if most > 0 && most < sent && (f.most == 0 || most < f.most) && (named || most >= leastAnswer) {
			f.most = most
			f.say("answers are limited to %d tokens", most)
			return true
		}
	}
	return false
}

// mostOf returns the maximum number of answer tokens according to a server's error message. It
// returns 0 if the message contains no usable maximum. requestMax is the maximum that was
// requested.
func mostOf(message string, requestMax int) int {
	if found := fits().FindStringSubmatch(message); found != nil {
		if most := numberOf(found[1]) - numberOf(found[2]+found[3]) - spare; most >= leastAnswer {
			return most
		}
		return 0
	}
	for _, one := range bounds() {
		for _, found := range one.words.FindAllStringSubmatch(message, -1) {
			if most := numberOf(found[1]) - one.less; most > 0 && most < requestMax {
				return most
			}
		}
	}
	for _, text := range numbers().FindAllString(message, -1) {
		if most := numberOf(text); most >= leastAnswer && most < requestMax {
			return most
		}
	}
	return 0
}

func numberOf(text string) int {
	number, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(text))
	if err != nil {
		return 0
	}
	return number
}

// fits is a pattern for the error message that OpenAI and vLLM send if the prompt fits into the
// context window but leaves too little room for the answer.
var fits = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`maximum context length (?:is|of) (\d+).*?(?:(\d+) in the messages|(?:has|of|contains|least) (\d+) (?:input|prompt) tokens)`)
})

// numberPattern is a pattern for a number, perhaps with commas between the thousands.
const numberPattern = `(\d{1,3}(?:[,_]\d{3})+\b|\d+\b)`

var numbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b` + numberPattern + `\b`) })

// limitPattern finds the maximum answer length in a refusal.
type limitPattern struct {
	words *regexp.Regexp
	less  int // subtracted from the number in the text; 1 for phrases such as "less than 4096"
}

var bounds = sync.OnceValue(func() (list []limitPattern) {
	for _, one := range []struct {
		words string
		less  int
	}{
		{`\[\s*\d+\s*,\s*(\d+)\s*\]`, 0},
		{`\[\s*\d+\s*,\s*(\d+)\s*\)`, 1},
		{`to ` + numberPattern + ` \(exclusive\)`, 1},
		{`(?:between|from) \d+ (?:\(inclusive\) )?(?:and|to) ` + numberPattern, 0},
		{`(?:at most|up to|<=|≤|or equal to|not exceed|cannot exceed|no (?:more|greater|larger|higher|longer) than|not be (?:more|greater|larger|higher) than|(?:maximum|max|limit)(?: allowed)?(?: value| number)?(?: of| is| are|:)?)[\s:='"` + "`" + `]*` + numberPattern, 0},
		{`(?:less|smaller|lower|fewer|below|under)(?: than)?[\s:='"` + "`" + `]*` + numberPattern, 1},
		{`\d > ` + numberPattern, 0},
	} {
		list = append(list, limitPattern{regexp.MustCompile(one.words), one.less})
	}
	return list
})
