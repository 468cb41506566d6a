package offline

import (
	"regexp"
	"strings"
	"sync"
)

// spokenSums replaces words, such as "plus" and "fois", with operators.
var spokenSums = sync.OnceValue(func() *strings.Replacer {
	var list []string
	for pair := range strings.FieldsSeq("times=* plus=+ minus=- mod=mod over=/ by=* durch=/ mal=* hoch=^ weniger=- fois=* puissance=^ moins=- x=*") {
		said, sign, _ := strings.Cut(pair, "=")
		list = append(list, " "+said+" ", " "+sign+" ")
	}
	return strings.NewReplacer(list...)
})

// phrasedSums replaces phrases, such as "divided by", with operators.
var phrasedSums = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(" divided by ", " / ", " multiplied by ", " * ", " to the power of ", " ^ ", " geteilt durch ", " / ",
		" multipliziert mit ", " * ", " divise par ", " / ", " multiplie par ", " * ", " a la puissance ", " ^ ")
})

var (
	percentOf = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\d) ?(?:%|percent|per cent|prozent|pour cent|pourcent|pourcents) (?:of|von|vom|de|des|d') ?`)
	})
	squareRoot = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:the )?square root of|square root|(?:die )?(?:quadrat)?wurzel (?:aus|von)|(?:la )?racine carree de`)
	})
	decimalComma = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\d),(\d{1,2})(\D|$)`) })
	squared      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` (?:squared|zum quadrat|au carre)`) })
	sumShape     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[\d.()\s+\-*/^%!×÷,]|sqrt|\bof\b|\bmod\b|\bpi\b|\blog\b|\bln\b|\bsin\b|\bcos\b|\btan\b|\babs\b|\bround\b|\bmin\b|\bmax\b)+=?$`)
	})
	operation = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[\d).!%]\s*[-+*/^×÷]\s*[-(\d.a-z]|%\s*of|\d\s*mod\s*\d|(?:sqrt|log|ln|sin|cos|tan|abs|round|min|max)\s*\(?[\d-]|\d!`)
	})
	noSum = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\d{4}-\d\d?-\d\d?$|^\d\d?/\d\d?/\d{2,4}$|^\+?\d{2,4}[- ]\d{3,}[- ]\d+`)
	})
)

// prefixed is a pattern for calculations that begin with the operation: "divide 200 by 4", "the sum
// of 9 and 12".
var prefixed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:the )?(sum|product|divide|multiply|add)(?: of)? ([\d.]+) (?:by|and|to|with) ([\d.]+)$`)
})

var prefixSigns = map[string]string{"sum": "+", "add": "+", "product": "*", "multiply": "*", "divide": "/"}

// readSum reads an arithmetic expression, such as "12 * 8" or "12 mal 8".
func readSum(s sentence, words []word) (any, bool) {
	last := words[len(words)-1]
	text := folded(s.request[words[0].start:last.end])
	if last == s.words[len(s.words)-1] { // the last characters may be part of the sum, as in "5!" and "="
		text = folded(strings.TrimRight(s.request[words[0].start:], "?. \n"))
	}
	if strings.IndexFunc(text, func(r rune) bool { return r >= '0' && r <= '9' }) < 0 && !lexicon().numeral(words) {
		return nil, false
	}
	var plain string
	if strings.ContainsAny(text, "abcdefghijklmnopqrstuvwxyz,%") {
		plain = plainSum(text)
	} else {
		plain = s.request[words[0].start : words[0].start+len(text)]
	}
	if open := strings.Count(plain, ")") - strings.Count(plain, "("); open != 0 {
		start := words[0].start - open // brackets that were removed as punctuation
		if open < 0 || start < 0 || strings.Trim(s.request[start:words[0].start], "(") != "" {
			return nil, false
		}
		plain = s.request[start:words[0].start] + plain
	}
	if noSum().MatchString(plain) || !sumShape().MatchString(plain) || !operation().MatchString(plain) {
		return nil, false
	}
	return plain, true
}

// plainSum turns words into an expression: "12 mal 8" becomes "12 * 8".
func plainSum(text string) string {
	for word := range strings.FieldsSeq(text) {
		if meaning, ok := lexicon().tables["numbers"][word]; ok && word != "a" && word != "an" {
			text = strings.Replace(" "+text+" ", " "+word+" ", " "+meaning+" ", 1)
		}
	}
	text = decimalComma().ReplaceAllString(strings.TrimSpace(text), "$1.$2$3")
	text = squareRoot().ReplaceAllString(text, "sqrt")
	text = percentOf().ReplaceAllString(text, "$1% of ")
	text = squared().ReplaceAllString(text, "^2")
	text = prefixed().ReplaceAllStringFunc(text, func(found string) string {
		m := prefixed().FindStringSubmatch(found)
		return m[2] + " " + prefixSigns[m[1]] + " " + m[3]
	})
	text = phrasedSums().Replace(" " + text + " ")
	text = spokenSums().Replace(strings.ReplaceAll(text, " ", "  "))
	text = strings.Join(strings.Fields(text), " ")
	if number, ok := strings.CutPrefix(text, "sqrt "); ok && strings.Trim(number, "0123456789.") == "" {
		text = "sqrt(" + number + ")"
	}
	return text
}
