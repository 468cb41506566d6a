package when

import (
	"strconv"
	"strings"
	"sync"
)

// numberWords maps English, German and French words to numbers. wordNumber and [tape.readInteger]
// compose larger numbers.
var numberWords = sync.OnceValue(func() map[string]int {
	table := map[string]int{"a": 1, "an": 1, "une": 1, "eine": 1, "einen": 1, "einem": 1, "einer": 1, "ein": 1, "eins": 1, "zwo": 2}
	for _, line := range []string{
		"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
		"null eins zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf dreizehn vierzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
		"- un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - - vingt",
	} {
		for value, name := range strings.Fields(line) {
			table[name] = value
		}
	}
	for _, line := range []string{
		"- - - thirty forty fifty sixty - - ninety", "- - - dreissig vierzig fuenfzig sechzig - - neunzig", "- - - trente quarante cinquante soixante - - -",
	} {
		for value, name := range strings.Fields(line) {
			table[name] = 10 * value
		}
	}
	delete(table, "-")
	return table
})

// readInteger reads an integer, in digits or words.
func (r *tape) readInteger() (int, bool) {
	if value := r.digits(0, 9); value >= 0 {
		r.at++
		return value, true
	}
	value, ok := wordNumber(r.word(0))
	if !ok {
		return 0, false
	}
	r.at++
	switch {
	case value == 4 && r.takeAny("vingt", "vingts"): // quatre-vingt-dix
		more, _ := r.afterTens(20)
		value = 80 + more
	case value == 60 && r.is("dix"), value >= 20 && value%10 == 0:
		before := r.at
		r.take("et")
		most := 10
		if value == 60 {
			most = 20
		}
		if more, ok := r.afterTens(most); ok {
			return value + more, true
		}
		r.at = before
	}
	return value, true
}

// afterTens reads the number that follows the tens: "five" in "twenty-five", or "dix-sept" in
// "soixante-dix-sept". The number must be less than the limit.
func (r *tape) afterTens(limit int) (int, bool) {
	more, ok := wordNumber(r.word(0))
	if !ok || more < 1 || more >= limit || r.word(0) == "a" || r.word(0) == "an" {
		return 0, false
	}
	r.at++
	if ones, ok := wordNumber(r.word(0)); ok && more == 10 && ones > 6 && ones < 10 {
		r.at++
		more += ones
	}
	return more, true
}

// article returns true if text is an article that can also mean "one".
func article(text string) bool {
	switch text {
	case "a", "an", "une", "eine", "einen", "einem", "einer", "ein":
		return true
	}
	return false
}

// wordNumber returns the value of a number word such as "seven" or "fuenfundvierzig".
func wordNumber(text string) (int, bool) {
	if value, ok := numberWords()[text]; ok {
		return value, true
	}
	if unit, tens, ok := strings.Cut(text, "und"); ok && unit != "" {
		ones, known := numberWords()[unit]
		ten, alsoKnown := numberWords()[tens]
		if known && alsoKnown && ones > 0 && ones < 10 && ten >= 20 {
			return ten + ones, true
		}
	}
	return 0, false
}

// quantity reads a number with an optional fraction, such as "2.5", "2,5", "1 1/2", "one and a
// half", "half a", "anderthalb" or "une demi".
func (r *tape) quantity() (float64, bool) {
	if value, ok := r.fractionWord(); ok {
		return value, true
	}
	if value, ok := r.slashFraction(); ok {
		return value, true
	}
	before := r.at
	whole, ok := r.readInteger()
	if !ok {
		return 0, false
	}
	value := float64(whole)
	inDigits := r.at == before+1 && r.tokens[before].kind == digits
	switch {
	case inDigits && (r.sign(0, ".") || r.sign(0, ",")) && r.ahead(1).kind == digits && len(r.ahead(1).text) != 3:
		value, _ = strconv.ParseFloat(r.tokens[before].text+"."+r.ahead(1).text, 64)
		r.at += 2
	case r.take("and", "a", "half"), r.take("einhalb"):
		value += 0.5
	default:
		if part, ok := r.slashFraction(); ok && part < 1 {
			value += part
		}
	}
	return value, true
}

// slashFraction reads "1/2", "1/4" and "3/4".
func (r *tape) slashFraction() (float64, bool) {
	for _, part := range [][2]string{{"1", "2"}, {"1", "4"}, {"3", "4"}} {
		if r.is(part[0], "/", part[1]) && r.ahead(3).text != "/" {
			r.at += 3
			return float64(part[0][0]-'0') / float64(part[1][0]-'0'), true
		}
	}
	return 0, false
}

func (r *tape) fractionWord() (float64, bool) {
	for _, one := range []struct {
		words string
		value float64
	}{
		{"half a", 0.5},
		{"half an", 0.5},
		{"a half", 0.5},
		{"half", 0.5},
		{"eine halbe", 0.5},
		{"einer halben", 0.5},
		{"halbe", 0.5},
		{"halben", 0.5},
		{"une demi", 0.5},
		{"demi", 0.5},
		{"a quarter of an", 0.25},
		{"a quarter", 0.25},
		{"quarter of an", 0.25},
		{"three quarters of an", 0.75},
		{"three quarter", 0.75},
		{"une demie", 0.5},
		{"eine viertel", 0.25},
		{"einer viertel", 0.25},
		{"eine dreiviertel", 0.75},
		{"einer dreiviertel", 0.75},
		{"dreiviertel", 0.75},
		{"trois quarts", 0.75},
		{"un quart", 0.25},
		{"anderthalb", 1.5},
	} {
		if r.take(strings.Fields(one.words)...) {
			return one.value, true
		}
	}
	if name, ok := strings.CutSuffix(r.word(0), "einhalb"); ok && name != "" { // zweieinhalb
		if value, ok := numberWords()[name]; ok {
			r.at++
			return float64(value) + 0.5, true
		}
	}
	return 0, false
}
